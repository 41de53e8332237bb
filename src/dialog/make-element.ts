/** Attributes by name. Never `style`, which a content security policy may forbid. */
export type ElementAttributes = Readonly<Record<string, string>>

/** Makes an element. Strings become text nodes, never markup. */
export function makeElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: ElementAttributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}
