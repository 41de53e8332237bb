import type { Grants } from '../execution/grants.ts'
import { checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { hasMethods } from '../tool/value-kinds.ts'
import { type GrantsTexts, grantsTextsEn } from './grants-texts.ts'
import { type GrantsView, showGrants } from './grants-view.ts'

/** An `<offstage-grants>`: lists what the person allowed without being asked again, and revokes it. */
export interface GrantsElement extends HTMLElement {
  /** What is listed. */
  grants: Grants | undefined
  /** Sentences that replace the English ones. */
  texts: Partial<GrantsTexts> | undefined
}

/** What {@link grantsElement} takes. */
export interface GrantsElementOptions {
  /** The grants of the agent: the same object. */
  readonly grants: Grants
  /** Sentences that replace the English ones. */
  readonly texts?: Partial<GrantsTexts>
}

const elementName = 'offstage-grants'

/**
 * Makes an element for the app's settings: it lists the grants, follows their changes, also those of other tabs, and
 * revokes them one by one or all at once. It needs no guard: revoking only makes the app ask again.
 *
 * Theme it as the dialog: the custom properties `--offstage-surface`, `--offstage-text`, `--offstage-muted`,
 * `--offstage-border`, `--offstage-field`, `--offstage-caution`, `--offstage-accent`, `--offstage-radius`,
 * `--offstage-font` and `--offstage-font-mono` on `offstage-grants`, its parts, and `color-scheme`.
 *
 * @throws ToolRegistrationError when an option is wrong, or where there is no page, as on a server.
 * @example document.querySelector('#settings')?.append(grantsElement({ grants }))
 */
export function grantsElement(options: GrantsElementOptions): GrantsElement {
  checkOptions(options, ['grants', 'texts'], 'grantsElement()')
  checkGrants(options.grants)
  checkTexts(options.texts)
  if (typeof document === 'undefined') {
    throw new ToolRegistrationError(
      'grantsElement() makes an element of a page, and there is no page here. Call it in the browser, for example when a component is mounted.',
    )
  }
  defineGrantsElement()
  const element = document.createElement(elementName) as GrantsElement
  element.texts = options.texts
  element.grants = options.grants
  return element
}

/**
 * Defines the tag `<offstage-grants>` for markup and for frameworks, which then set `element.grants`. Does nothing
 * where it is defined already, and on a server.
 */
export function defineGrantsElement(): void {
  if (typeof customElements === 'undefined' || customElements.get(elementName) !== undefined) return
  customElements.define(elementName, elementClass())
}

// Made in a function: HTMLElement does not exist where the module is only imported, as on a server.
function elementClass(): CustomElementConstructor {
  return class extends HTMLElement implements GrantsElement {
    // Open, so that accessibility checkers and tests reach in.
    readonly #root = this.attachShadow({ mode: 'open' })
    #grants: Grants | undefined
    #texts: Partial<GrantsTexts> | undefined
    #view: GrantsView | undefined

    get grants(): Grants | undefined {
      return this.#grants
    }

    set grants(grants: Grants | undefined) {
      if (grants !== undefined) checkGrants(grants)
      this.#grants = grants
      this.#show()
    }

    get texts(): Partial<GrantsTexts> | undefined {
      return this.#texts
    }

    set texts(texts: Partial<GrantsTexts> | undefined) {
      checkTexts(texts)
      this.#texts = texts
      this.#show()
    }

    connectedCallback(): void {
      // A framework may have set them before the tag was defined: then they hide the setters.
      const { grants, texts } = this
      Reflect.deleteProperty(this, 'grants')
      Reflect.deleteProperty(this, 'texts')
      checkTexts(texts)
      this.#texts = texts
      this.grants = grants
    }

    disconnectedCallback(): void {
      this.#view?.close()
      this.#view = undefined
    }

    #show(): void {
      this.#view?.close()
      this.#view = undefined
      this.#root.replaceChildren()
      if (!this.isConnected || this.#grants === undefined) return
      this.#view = showGrants(this.#root, this.#grants, { ...grantsTextsEn, ...this.#texts })
      void this.#view.refresh()
    }
  }
}

function checkGrants(grants: unknown): void {
  if (hasMethods(grants, 'list', 'revoke', 'revokeAll', 'subscribe')) return
  throw new ToolRegistrationError('<offstage-grants>, grants: expected the Grants object of the agent.')
}

function checkTexts(texts: Partial<GrantsTexts> | undefined): void {
  if (texts !== undefined) checkOptions(texts, Object.keys(grantsTextsEn), '<offstage-grants>, texts')
}
