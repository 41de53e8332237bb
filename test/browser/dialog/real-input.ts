import { commands } from 'vitest/browser'

declare module 'vitest/browser' {
  interface BrowserCommands {
    clickAt(x: number, y: number): Promise<void>
    keyDown(key: string): Promise<void>
    keyUp(key: string): Promise<void>
  }
}

/** Clicks as a person does: a trusted event at the middle of the element. */
export async function click(element: Element): Promise<void> {
  element.scrollIntoView({ block: 'nearest' })
  const { left, top, width, height } = element.getBoundingClientRect()
  await clickAt(left + width / 2, top + height / 2)
}

/** Clicks at a place of this page, in CSS pixels. */
export async function clickAt(x: number, y: number): Promise<void> {
  const frame = window.frameElement?.getBoundingClientRect()
  if (frame === undefined) throw new Error('This page is in no frame, so its place in the window is unknown.')
  // Vitest makes the frame smaller where it would not fit into the window.
  const scale = frame.width / window.innerWidth
  await commands.clickAt(frame.left + x * scale, frame.top + y * scale)
}

/** Presses a key and holds it. Once more while it is held is what the keyboard sends then: a repeat. */
export function hold(key: string): Promise<void> {
  return commands.keyDown(key)
}

/** Releases a key. */
export function release(key: string): Promise<void> {
  return commands.keyUp(key)
}

/** Presses and releases keys, one after the other: `'Tab'`, `'Enter'`, `'a'`. */
export async function press(...keys: string[]): Promise<void> {
  for (const key of keys) {
    await hold(key)
    await release(key)
  }
}

/** Types a text into a field. */
export async function type(field: HTMLElement, text: string): Promise<void> {
  field.focus()
  await press(...text)
}
