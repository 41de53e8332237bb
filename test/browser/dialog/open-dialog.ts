import { expect, vi } from 'vitest'
import { loadDialog } from '../../../src/dialog/load-dialog.ts'
import type { ApprovalRequest } from '../../../src/execution/approval.ts'
import type { ApprovalDecision } from '../../../src/execution/decision.ts'

// As in an app that has been open for a while: a question is shown in the moment in which it is asked.
await loadDialog()

/** A request as the executor makes it. */
export function request(changes: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    callId: 'call-1',
    toolName: 'send_email',
    origin: 'mcp:mail',
    description: 'Send an e-mail.',
    input: { to: 'alice@example.com', copies: 2 },
    reasons: ['The tool sends data off this page.'],
    inputSchema: { type: 'object', properties: { to: { type: 'string' }, copies: { type: 'integer' } } },
    mayRemember: [],
    check: async () => [],
    signal: new AbortController().signal,
    ...changes,
  }
}

/** What an answer is now, without waiting for it. */
export interface Watched {
  /** Undefined while the question is open. */
  decision?: ApprovalDecision
}

/** Follows an answer. */
export function watch(answer: ApprovalDecision | Promise<ApprovalDecision>): Watched {
  const watched: Watched = {}
  void Promise.resolve(answer).then((decision) => {
    watched.decision = decision
  })
  return watched
}

/** All dialogs on the page. */
export function hosts(): readonly Element[] {
  return [...document.querySelectorAll('offstage-confirm')]
}

/** The parts of the one open dialog. */
export class OpenDialog {
  readonly host: HTMLElement
  readonly root: ShadowRoot

  constructor() {
    expect(hosts()).toHaveLength(1)
    this.host = hosts()[0] as HTMLElement
    this.root = this.host.shadowRoot as ShadowRoot
  }

  get<Kind extends HTMLElement = HTMLElement>(selector: string): Kind {
    const found = this.root.querySelector<Kind>(selector)
    if (found === null) throw new Error(`The dialog has no ${selector}.`)
    return found
  }

  get dialog(): HTMLDialogElement {
    return this.get('dialog')
  }

  get approve(): HTMLButtonElement {
    return this.get('.approve')
  }

  get deny(): HTMLButtonElement {
    return this.get('.deny')
  }

  get reason(): HTMLInputElement {
    return this.get('#reason')
  }

  /** The text that can be read, as it is laid out. */
  text(selector: string): string {
    // biome-ignore lint/performance/useDomNodeTextContent: what is folded or hidden does not count.
    return this.get(selector).innerText
  }
}

/** The dialog once it has been on the screen long enough to be approved. */
export async function readyDialog(): Promise<OpenDialog> {
  const open = new OpenDialog()
  await frames(2)
  await sleep(350)
  return open
}

/** Waits for real time to pass, in milliseconds. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Waits until the page was drawn that many times. */
export async function frames(count: number): Promise<void> {
  for (let frame = 0; frame < count; frame += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}

/** The time that the guard sees, in milliseconds. Real time is no measure on a busy machine. */
export interface GuardClock {
  /** What the dialog takes for now. */
  now: number
  /** When the events of each type happen. */
  at(time: number, ...types: string[]): void
}

/** Takes over the clock of the guard, until mocks are restored. */
export function guardClock(now: number): GuardClock {
  const clock: GuardClock = {
    now,
    at: (time, ...types) => {
      for (const type of types) times.set(type, time)
    },
  }
  const times = new Map<string, number>()
  vi.spyOn(performance, 'now').mockImplementation(() => clock.now)
  vi.spyOn(Event.prototype, 'timeStamp', 'get').mockImplementation(function (this: Event) {
    return times.get(this.type) ?? clock.now
  })
  return clock
}

/** Waits until the guard has looked at the dialog again, which it does every 50 ms in a frame. */
export async function guardLooks(): Promise<void> {
  await frames(2)
  await sleep(100)
  await frames(2)
}

/** Settles whatever a test left open. */
export function removeDialogs(): void {
  for (let left = hosts(); left.length > 0; left = hosts()) left[0]?.remove()
}
