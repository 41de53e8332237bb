import type { SessionSnapshot } from 'offstage'
import { element } from '../shared/element.ts'
import { chatEntries, isWhole } from './chat-entries.ts'

/** Tells a screen reader what is finished, and nothing in the middle of it. */
export interface Announcer {
  readonly element: HTMLElement
  follow(snapshot: SessionSnapshot): void
}

/** Makes an announcer: its text is to be heard, not seen. */
export function announcer(): Announcer {
  const region = element('div', { class: 'only-heard', 'aria-live': 'polite' })
  const told = new Set<string>()
  let wasRunning = false
  const tell = (key: string, text: string) => {
    if (told.has(key)) return
    told.add(key)
    // The last few are enough: what is there already is not read again.
    if (region.children.length > 4) region.firstElementChild?.remove()
    region.append(element('p', {}, text))
  }
  const follow = (snapshot: SessionSnapshot) => {
    const entries = chatEntries(snapshot)
    for (const entry of entries) {
      if (entry.kind === 'model' && isWhole(entry, entries, snapshot)) tell(entry.key, entry.text)
      if (entry.kind === 'call' && entry.question !== undefined) {
        tell(`${entry.key} waits`, `${entry.call.name} waits for you: allow or deny it in the conversation.`)
      }
    }
    const isRunning = snapshot.status === 'running'
    if (wasRunning && !isRunning && snapshot.result?.status !== 'done' && snapshot.error === undefined) {
      tell(`${entries.length} stopped`, 'Stopped.')
    }
    wasRunning = isRunning
  }
  return { element: region, follow }
}
