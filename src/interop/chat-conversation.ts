import type { Agent } from '../agent/agent.ts'
import type { CallAnswers } from '../agent/answers.ts'
import type { Message } from '../agent/message.ts'
import type { AgentEvent, RunResult } from '../agent/run-result.ts'
import { asError, isRunError, leaveRun, type OpenRun } from '../agent/session-restore.ts'
import { forgetResults } from '../execution/forget-results.ts'
import { defined } from '../tool/defined.ts'
import { randomId } from '../tool/random-id.ts'
import { answersIn, type ShownQuestion, shownQuestion } from './chat-answers.ts'
import { ChatChunks } from './chat-chunks.ts'
import { historyOf, userMessage } from './chat-history.ts'
import type { ChatChunk, ChatMessage, ChatRequest } from './chat-types.ts'

/** Something that a person said: where it stands. */
interface Turn {
  /** The user interface's id of it. */
  readonly id: string
  /** How much of the conversation was there before. */
  readonly start: number
}

interface OpenChatRun extends OpenRun {
  readonly questions: readonly ShownQuestion[]
}

/** One conversation of a transport: what was said, and what waits for an answer. */
export class ChatConversation<Deps> {
  readonly #agent: Agent<Deps>
  readonly #deps: Deps | undefined
  readonly #id = randomId('conversation')
  #messages: readonly Message[] = []
  #turns: readonly Turn[] = []
  #open: OpenChatRun | undefined
  #isRunning = false

  constructor(agent: Agent<Deps>, deps: Deps | undefined) {
    this.#agent = agent
    this.#deps = deps
  }

  /** Does what a request asks for, and tells what happens. */
  async *take(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatChunk, void, undefined> {
    if (this.#isRunning) {
      yield failed('A run is going on in this chat. Stop it first, or wait until it is over.')
      return
    }
    this.#isRunning = true
    try {
      const last = request.messages.at(-1)
      if (last?.role === 'user') yield* this.#said(request.messages, last, signal)
      else if (last?.role === 'assistant') yield* this.#answered(last, signal)
      else yield failed('The last message is none of a person and none with answers: there is nothing to do.')
    } catch (error) {
      yield failed(asError(error).message)
    } finally {
      this.#isRunning = false
    }
  }

  /** Lets go of what is kept for it. */
  async forget(): Promise<void> {
    await this.#leave()
    await forgetResults(this.#id, this.#agent['~resultStore'])
  }

  async *#said(all: readonly ChatMessage[], last: ChatMessage, signal: AbortSignal) {
    const isKnown = this.#turns.length > 0
    if (!isKnown) this.#open = await this.#stored(all)
    await this.#leave()
    this.#goTo(all)
    const messages = this.#messages
    this.#turns = [...this.#turns, { id: last.id, start: messages.length }]
    const message = userMessage(last)
    // Until the run has ended, it is what was said all the same.
    this.#messages = [...messages, message]
    const { role: _role, ...input } = message
    const options = defined({ messages, conversation: this.#id, signal, deps: this.#deps })
    yield { type: 'start' } as const
    yield* this.#play(this.#agent.stream(input, options), new ChatChunks(), signal)
  }

  async *#answered(last: ChatMessage, signal: AbortSignal) {
    this.#open ??= await this.#stored([last])
    const open = this.#open
    const answers: CallAnswers = open === undefined ? {} : answersIn(last, open.questions)
    if (open === undefined || Object.keys(answers).length === 0) {
      yield failed(
        'No question is open that this answers: it has its answer, it is not in the store of the agent after a reload, or its input was changed. Nothing was run.',
      )
      return
    }
    this.#open = undefined
    yield { type: 'start', messageId: last.id } as const
    const known = open.pending.map(({ callId }) => callId)
    const options = defined({ signal, deps: this.#deps })
    const events = this.#agent.resumeStream(open.state, answers, options)
    try {
      yield* this.#play(events, new ChatChunks(known), signal)
    } catch (error) {
      // Nothing has run: the question can be answered again.
      if (!isRunError(error)) this.#open = open
      throw error
    }
  }

  /** Cuts the conversation back to what the user interface has; one that is not known is taken from there. */
  #goTo(all: readonly ChatMessage[]): void {
    const said = all.filter(({ role }) => role === 'user').map(({ id }) => id)
    const before = said.slice(0, -1)
    if (before.every((id, index) => this.#turns[index]?.id === id)) {
      const next = this.#turns[before.length]
      this.#messages = next === undefined ? this.#messages : this.#messages.slice(0, next.start)
      this.#turns = this.#turns.slice(0, before.length)
      return
    }
    const turns: Turn[] = []
    const messages: Message[] = []
    for (const message of all.slice(0, -1)) {
      if (message.role === 'user') turns.push({ id: message.id, start: messages.length })
      messages.push(...historyOf([message]))
    }
    this.#turns = turns
    this.#messages = messages
  }

  async *#play(
    events: AsyncIterable<AgentEvent>,
    chunks: ChatChunks,
    signal: AbortSignal,
  ): AsyncGenerator<ChatChunk, void, undefined> {
    try {
      for await (const event of events) {
        yield* await chunks.of(event)
        if (event.type === 'paused' || event.type === 'done') yield* this.#ended(event.result, chunks)
      }
    } catch (error) {
      if (!isRunError(error)) throw error
      this.#messages = error.result.messages
      yield* chunks.endStep()
      yield signal.aborted ? { type: 'abort' } : failed(error.message)
    }
  }

  #ended(result: RunResult, chunks: ChatChunks): ChatChunk[] {
    const { state, pending, messages, finishReason } = result
    if (state === undefined) {
      this.#messages = messages
      const reason = finishReason === 'length' ? 'length' : result.status === 'done' ? 'stop' : 'other'
      return [...chunks.endStep(), { type: 'finish', finishReason: reason }]
    }
    const questions = pending.map(shownQuestion)
    this.#open = { state, pending, messages, questions }
    const requests = questions.flatMap(requestOf)
    return [...requests, ...chunks.endStep(), { type: 'finish', finishReason: 'tool-calls' }]
  }

  /** The run of before a reload, in the agent's store, whose questions are in these messages. */
  async #stored(messages: readonly ChatMessage[]): Promise<OpenChatRun | undefined> {
    const ids = new Set(messages.flatMap(({ parts }) => parts.map((part) => Object(part).toolCallId)))
    const runs = await this.#agent.pendingRuns()
    const found = runs.find(({ pending }) => pending.some(({ callId }) => ids.has(callId)))
    return found && { ...found, questions: found.pending.map(shownQuestion) }
  }

  /** Goes on without the open run: what was asked in it counts as not answered. */
  async #leave(): Promise<void> {
    const open = this.#open
    this.#open = undefined
    if (open !== undefined) this.#messages = await leaveRun(this.#agent, open, this.#deps)
  }
}

/** A question as the user interface is told of it: with all that the person should know, for whoever shows it. */
function requestOf({ pending, approvalId }: ShownQuestion): ChatChunk[] {
  if (pending.kind === 'external') return []
  const { callId, toolName, origin, input, reasons, policy, change, boundTo } = pending
  const data = defined({ callId, toolName, origin, input, reasons, policy, change, boundTo })
  return [
    { type: 'data-offstage-question', id: approvalId, data },
    { type: 'tool-approval-request', approvalId, toolCallId: callId },
  ]
}

function failed(errorText: string): ChatChunk {
  return { type: 'error', errorText }
}
