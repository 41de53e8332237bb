import { checkCount, checkOptions } from '../tool/check-options.ts'
import { withTaintOf } from './history-taint.ts'
import type { Message } from './message.ts'
import { shortenMessage } from './shorten-message.ts'

/** How much of a conversation is kept. */
export interface CompactOptions {
  /** The last steps (a message of the model, with its calls and results) are kept whole. @default 3 */
  readonly keepSteps?: number
  /**
   * Size to reach, in characters of the JSON of all messages, without the `taint` of messages. What must be kept may
   * be more. @default 100_000
   */
  readonly maxChars?: number
  /** Put before the first message once something was left out, for the model to read. */
  readonly note?: string
}

const usualNote = '[Earlier messages of this conversation were left out.]'
const separator = '\n\n'

/**
 * Makes a conversation shorter, and keeps it valid for every provider. Oldest first, and only until it fits: long texts
 * in inputs and results are shortened, and files left out; then whole turns (what the person said, and all up to the
 * next time) go, and then steps of the turns that are left. Inputs stay JSON of the same shape, texts are never cut
 * inside a character, and what a provider signed is kept unchanged or left out with its message. The last steps and
 * the person's last message stay as they are. A conversation that fits is returned as it is.
 *
 * @throws {@link ToolRegistrationError} for options that cannot be meant.
 * @example
 * await agent.run(question, { messages: compactHistory(result.messages, { maxChars: 40_000 }) })
 */
export function compactHistory(
  messages: readonly Message[],
  options: CompactOptions = {},
): readonly Message[] {
  const where = 'compactHistory()'
  checkOptions(options, ['keepSteps', 'maxChars', 'note'], where)
  const { keepSteps = 3, maxChars = 100_000, note = usualNote } = options
  checkCount(keepSteps, 0, `${where}, keepSteps`)
  checkCount(maxChars, 1, `${where}, maxChars`)
  const sizes = messages.map(sizeOf)
  const excess = sizes.reduce((sum, size) => sum + size, 1) - maxChars
  if (excess <= 0) return messages
  const mayChange = changeable(messages, keepSteps)
  const shorter = shortenOldest(messages, sizes, mayChange, excess)
  return shorter.excess <= 0 ? shorter.messages : leaveOut(shorter, mayChange, note)
}

/** Messages with their sizes, and by how much they are too many. */
interface Sized {
  readonly messages: readonly Message[]
  readonly sizes: readonly number[]
  readonly excess: number
}

function shortenOldest(
  messages: readonly Message[],
  sizes: readonly number[],
  mayChange: readonly boolean[],
  excess: number,
): Sized {
  let left = excess
  const shorter = messages.map((message, index) => {
    if (left <= 0 || !mayChange[index]) return message
    const short = shortenMessage(message)
    const saved = (sizes[index] ?? 0) - sizeOf(short)
    // A shortened text carries a note of its own.
    if (saved <= 0) return message
    left -= saved
    return short
  })
  return { messages: shorter, sizes: shorter.map(sizeOf), excess: left }
}

function leaveOut(
  { messages, sizes, excess }: Sized,
  mayChange: readonly boolean[],
  note: string,
): readonly Message[] {
  // As JSON, without its quotes: a line break is two characters there.
  let over = excess + JSON.stringify(note + separator).length - 2
  const gone = new Set<number>()
  for (const piece of pieces(messages, mayChange)) {
    if (over <= 0) break
    for (const index of piece) {
      gone.add(index)
      over -= sizes[index] ?? 0
    }
  }
  if (gone.size === 0) return messages
  const left = withNote(
    messages.filter((_, index) => !gone.has(index)),
    note,
  )
  // What was read still stands behind what the model said about it.
  return withTaintOf(
    left,
    messages.filter((_, index) => gone.has(index)),
    note,
  )
}

/** With the comma behind it. What says what was read is for no model, and does not count. */
function sizeOf(message: Message): number {
  const seen = message.role === 'tool' ? message : { ...message, taint: undefined }
  return JSON.stringify(seen).length + 1
}

/** Which messages are neither among the last steps nor the person's last words. */
function changeable(messages: readonly Message[], keepSteps: number): readonly boolean[] {
  const steps = [...messages.keys()].filter((index) => messages[index]?.role === 'assistant')
  const keptFrom = keepSteps === 0 ? messages.length : (steps.at(-keepSteps) ?? 0)
  const lastUser = messages.findLastIndex(({ role }) => role === 'user')
  return messages.map((_, index) => index < keptFrom && index !== lastUser)
}

/** What can be left out as a whole, in this order: turns, then steps of turns of which something must stay. */
function pieces(messages: readonly Message[], mayChange: readonly boolean[]): readonly (readonly number[])[] {
  const turns: number[][] = []
  const steps: number[][] = []
  for (const [index, { role }] of messages.entries()) {
    if (role === 'user' || index === 0) turns.push([])
    turns.at(-1)?.push(index)
    if (role === 'assistant') steps.push([])
    // The person's words go with their turn only: what stands behind them would answer nothing.
    if (role !== 'user') steps.at(-1)?.push(index)
  }
  const canGo = (piece: readonly number[]) => piece.every((index) => mayChange[index])
  const whole = turns.filter(canGo)
  const inWhole = new Set(whole.flat())
  return [...whole, ...steps.filter((step) => canGo(step) && !step.some((index) => inWhole.has(index)))]
}

function withNote(messages: readonly Message[], note: string): readonly Message[] {
  const [first, ...rest] = messages
  if (first?.role !== 'user' || first.text.startsWith(note)) return messages
  return [{ ...first, text: `${note}${separator}${first.text}` }, ...rest]
}
