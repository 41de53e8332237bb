import '../../support/valid-histories.ts'
import {
  Agent,
  type AgentEvent,
  type AgentOptions,
  type Message,
  type RunOptions,
  type RunResult,
} from 'offstage'
import { ScriptedModel, type ScriptedTurn } from 'offstage/testing'
import { expect } from 'vitest'

/** One call of each name, without input. */
export function calls(...names: readonly string[]): ScriptedTurn {
  return names.map((name) => ScriptedModel.toolCall(name))
}

/** A model that says the same for ever. */
export function always(turn: ScriptedTurn): ScriptedModel {
  return new ScriptedModel(Array.from({ length: 100 }, () => turn))
}

/** Runs a script to its end. */
export async function play(
  turns: readonly (ScriptedTurn | ConstructorParameters<typeof ScriptedModel>[0][number])[],
  options: Omit<AgentOptions, 'model'>,
  runOptions: RunOptions = {},
): Promise<{ readonly result: RunResult; readonly model: ScriptedModel }> {
  const model = new ScriptedModel(turns)
  const result = await new Agent({ model, ...options }).run('go', runOptions)
  model.assertComplete()
  return { result, model }
}

/** The outcomes of each step with calls. */
export function outcomesOf({ steps }: RunResult): readonly (readonly string[])[] {
  return steps
    .filter(({ results }) => results.length > 0)
    .map(({ results }) => results.map(({ outcome }) => outcome))
}

/** The names of the tools that each request offered. */
export function offeredBy({ requests }: ScriptedModel): readonly (readonly string[])[] {
  return requests.map(({ tools }) => tools.map(({ name }) => name))
}

/** Every call has one result, in call order, right after its message; all inputs are JSON objects. */
export function expectValidHistory(messages: readonly Message[]): void {
  for (const [index, message] of messages.entries()) {
    if (message.role === 'assistant' && message.calls !== undefined) {
      const next = messages[index + 1]
      const ids = next?.role === 'tool' ? next.results.map(({ callId }) => callId) : undefined
      expect(ids).toEqual(message.calls.map(({ id }) => id))
      for (const { input } of message.calls) {
        expect(input).toBeTypeOf('object')
        expect(Array.isArray(input) || input === null).toBe(false)
        expect(JSON.parse(JSON.stringify(input))).toEqual(input)
      }
    }
    if (message.role === 'tool') expect(messages[index - 1]).toHaveProperty('calls')
  }
}

export async function collect(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const all: AgentEvent[] = []
  for await (const event of events) all.push(event)
  return all
}
