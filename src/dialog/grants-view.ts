import type { Grant } from '../execution/grant.ts'
import type { Grants } from '../execution/grants.ts'
import { type GrantView, grantView } from './grant-view.ts'
import { grantsStyleSheets } from './grants-styles.ts'
import type { GrantsTexts } from './grants-texts.ts'
import { literalElement } from './literal-view.ts'
import { makeElement } from './make-element.ts'

/** The list of grants in a shadow root. */
export interface GrantsView {
  /** Reads the grants again and shows what changed. */
  refresh(): Promise<void>
  /** Forgets the grants; nothing is shown or read after that. */
  close(): void
}

interface Parts {
  readonly heading: HTMLElement
  readonly about: HTMLElement
  readonly revokeAll: HTMLButtonElement
  readonly warning: HTMLElement
  readonly empty: HTMLElement
  readonly list: HTMLElement
  readonly status: HTMLElement
}

/** Shows grants in a shadow root, in place of what was there, and follows their changes. */
export function showGrants(root: ShadowRoot, grants: Grants, texts: GrantsTexts): GrantsView {
  const parts = makeParts(texts)
  const rows = new Map<string, GrantView>()
  let closed = false
  const report = reportTo(parts.status, texts)
  const perform = async (change: () => Promise<void>, ...done: readonly (Node | string)[]) => {
    await report(change, done)
    await refresh()
  }
  const refresh = latest(async () => {
    const listed = await grants.list()
    if (closed) return
    showRows(parts, rows, listed, (grant) => {
      const view = grantView(grant, texts)
      view.revoke.addEventListener('click', () => {
        void perform(() => grants.revoke(grant.id), texts.revoked, ' ', literalElement(grant.toolName))
      })
      return view
    })
    parts.warning.hidden = grants.warning === undefined
  })
  parts.revokeAll.addEventListener('click', () => {
    void perform(() => grants.revokeAll(), texts.revokedAll)
  })
  root.adoptedStyleSheets = grantsStyleSheets()
  root.replaceChildren(arrange(parts, texts))
  const unsubscribe = grants.subscribe(() => void refresh())
  const close = () => {
    closed = true
    unsubscribe()
  }
  return { refresh, close }
}

/** Says how a change went: what it did, or that the storage failed. */
function reportTo(
  status: HTMLElement,
  { failed }: GrantsTexts,
): (change: () => Promise<void>, done: readonly (Node | string)[]) => Promise<void> {
  return async (change, done) => {
    try {
      await change()
      status.className = 'status'
      status.replaceChildren(...done)
    } catch {
      status.className = 'status failed'
      status.replaceChildren(failed)
    }
  }
}

function makeParts(texts: GrantsTexts): Parts {
  return {
    // It takes the focus when the button that had it is gone and no other is left.
    heading: makeElement('h2', { id: 'title', part: 'title', tabindex: '-1' }, texts.title),
    about: makeElement('p', { class: 'about', part: 'about', hidden: '' }, texts.about),
    revokeAll: makeElement(
      'button',
      { type: 'button', part: 'button revoke-all', hidden: '' },
      texts.revokeAll,
    ),
    warning: makeElement('p', { class: 'warning', part: 'warning', hidden: '' }, texts.notKept),
    empty: makeElement('p', { class: 'empty', part: 'empty', hidden: '' }, texts.empty),
    // Without list markers some browsers take it for no list, unless it says so.
    list: makeElement('ul', { class: 'grants', part: 'grants', role: 'list' }),
    status: makeElement('p', { class: 'status', part: 'status', role: 'status' }),
  }
}

function arrange(parts: Parts, texts: GrantsTexts): HTMLElement {
  const { heading, about, revokeAll, warning, empty, list, status } = parts
  return makeElement(
    'section',
    { lang: texts.lang, part: 'section', 'aria-labelledby': 'title' },
    makeElement('div', { class: 'top', part: 'top' }, heading, revokeAll),
    ...[about, warning, status, empty, list],
  )
}

// Rows stay where they are: a list that was made anew would lose the focus and what is unfolded.
function showRows(
  { heading, about, revokeAll, empty, list }: Parts,
  rows: Map<string, GrantView>,
  grants: readonly Grant[],
  make: (grant: Grant) => GrantView,
): void {
  const none = grants.length === 0
  const wanted = new Set(grants.map(({ id }) => id))
  let losesFocus = none && hasFocus(revokeAll)
  let after: Element | null = null
  for (const [id, { row }] of rows) {
    if (wanted.has(id)) continue
    if (hasFocus(row)) {
      losesFocus = true
      after = row.nextElementSibling ?? row.previousElementSibling
    }
    row.remove()
    rows.delete(id)
  }
  for (const [index, grant] of grants.entries()) {
    const { row } = rows.get(grant.id) ?? remember(rows, grant.id, make(grant))
    const place = list.children[index]
    if (place !== row) list.insertBefore(row, place ?? null)
  }
  about.hidden = none
  revokeAll.hidden = none
  empty.hidden = !none
  if (losesFocus) (buttonIn(after) ?? buttonIn(list) ?? heading).focus()
}

function remember(rows: Map<string, GrantView>, id: string, view: GrantView): GrantView {
  rows.set(id, view)
  return view
}

function buttonIn(part: Element | null): HTMLElement | null {
  return part?.isConnected ? part.querySelector('button') : null
}

function hasFocus(part: HTMLElement): boolean {
  const root = part.getRootNode()
  return root instanceof ShadowRoot && part.contains(root.activeElement)
}

/** Runs one at a time; what is asked for meanwhile is one more run after that. */
function latest(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const start = () => {
    next = undefined
    running = run().finally(() => {
      running = undefined
    })
    return running
  }
  return () => {
    if (running === undefined) return start()
    next ??= running.then(start, start)
    return next
  }
}
