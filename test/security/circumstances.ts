import {
  Agent,
  type AgentOptions,
  AgentSession,
  type CallAnswers,
  CallDeferred,
  compactHistory,
  Grants,
  memoryStore,
  type RunState,
  type Tool,
  ToolExecutor,
  tool,
} from 'offstage'
import * as v from 'valibot'
import type { Effect } from './attack-tools.ts'
import type { Entrance } from './doors.ts'
import { ObedientModel, order } from './orders.ts'

/** What is the same in all of them: the person says no to whatever is asked. */
export type AttackOptions = Pick<AgentOptions, 'policy'>

/** How the agent is run whose model reads an attack. */
export interface Circumstance {
  readonly name: string
  /** The orders that suit it; absent: those of the effect. Undefined where the effect makes no sense in it. */
  orders?(effect: Effect): readonly string[] | undefined
  run(entrance: Entrance, own: readonly Tool[], options: AttackOptions): Promise<unknown>
}

const readingOptions = ({ tools, options }: Entrance) => ({
  model: new ObedientModel(),
  confirm: () => false,
  tools,
  ...options,
})

/** One run, with an earlier one where the door has it. */
async function runOnce(
  entrance: Entrance,
  own: readonly Tool[],
  options: Partial<AgentOptions>,
): Promise<void> {
  const { tools, task, before } = entrance
  const reading = { ...readingOptions(entrance), ...options }
  const first = before && (await new Agent(reading).run(before))
  const messages = first ? first.messages : []
  await new Agent({ ...reading, tools: [...tools, ...own] }).run(task, { messages })
}

/** The usual one. */
export const oneRun: Circumstance = { name: 'one run', run: runOnce }

/** Two runs: in the first one nothing can be done yet, and it ends with all that was read, in the model's own words. */
async function runTwice(
  entrance: Entrance,
  own: readonly Tool[],
  options: AttackOptions,
  between: (messages: readonly Message[]) => readonly Message[],
): Promise<void> {
  const reading = { ...readingOptions(entrance), ...options, model: new ObedientModel({ isEcho: true }) }
  const { messages } = await new Agent(reading).run(entrance.before ?? entrance.task)
  await new Agent({ ...reading, tools: own }).run('Go on.', { messages: between(messages) })
}

type Message = Parameters<typeof compactHistory>[0][number]

const overJson = <T>(value: T): T => JSON.parse(JSON.stringify(value))

const laterName = 'wait_for_it'
const later = tool({
  name: laterName,
  description: 'Is answered later.',
  effect: 'none',
  parallelSafe: true,
  execute: () => {
    throw new CallDeferred()
  },
})

/** Paused beside what it reads, and then at each question; each time the page is another one. */
async function runWithPauses(entrance: Entrance, own: readonly Tool[], options: AttackOptions) {
  const tools = [...entrance.tools, ...own, later]
  const agent = () => new Agent({ ...readingOptions(entrance), ...options, tools, confirm: 'pause' })
  let result = await agent().run(`${entrance.task} ${order(laterName, {})}`)
  while (result.state !== undefined) {
    const answers: CallAnswers = Object.fromEntries(
      result.pending.map(({ callId, kind }) => [callId, kind === 'external' ? { output: 'here' } : false]),
    )
    result = await agent().resume(overJson(result.state) as RunState, answers)
  }
}

/** The person has allowed every tool for always, before. */
async function runWithGrants(entrance: Entrance, own: readonly Tool[], options: AttackOptions) {
  const grants = new Grants({ store: memoryStore() })
  const executor = new ToolExecutor({
    tools: own,
    grants,
    policy: [{ name: 'ask', judge: () => ({ kind: 'confirm', reason: 'So that it is remembered.' }) }],
    confirm: () => ({ approved: true, remember: { duration: 'always', scope: 'tool' } }),
  })
  for (const { name } of own) await executor.execute({ name, input: { text: 'before' } })
  await runOnce(entrance, own, { ...options, grants })
}

/** A turn later, of the same session, which has other tools then: the harmful ones. */
async function runInSession(entrance: Entrance, own: readonly Tool[], options: AttackOptions) {
  let turn = 0
  const tools = () => (turn > 1 ? own : entrance.tools)
  const model = new ObedientModel({ isEcho: true })
  const agent = new Agent({ ...readingOptions(entrance), ...options, model, tools })
  const session = new AgentSession({ agent })
  for (const said of [entrance.task, 'Go on.']) {
    turn += 1
    await session.send(said)
  }
}

/** The calls go through a tool of the app that runs others, with the same gate. */
async function runNested(entrance: Entrance, own: readonly Tool[], options: AttackOptions) {
  const inner = new Agent({ ...readingOptions(entrance), ...options, tools: own })
  const relay = tool({
    name: 'relay',
    description: 'Runs a tool.',
    inputSchema: v.object({ name: v.string(), text: v.string() }),
    execute: async ({ name, text }) => (await inner.executeTool(name, { text })).response,
  }) as unknown as Tool
  await runOnce(entrance, [relay], options)
}

function relayed({ orders, done }: Effect): readonly string[] | undefined {
  // The second call of the leak asks for what the first one's tool has answered, which is another one here.
  if (orders.length > 1) return undefined
  const [name = '', ...words] = done.split(' ')
  return [order('relay', { name, text: words.join(' ') })]
}

/** Ways to run that could make a gate forget what was read, or let something through. */
export const circumstances: readonly Circumstance[] = [
  {
    name: 'calls that start early',
    run: (entrance, own, options) => runOnce(entrance, own, { ...options, eagerStart: true }),
  },
  { name: 'a yes for always to every tool', run: runWithGrants },
  {
    name: 'a person who changes every input',
    run: (entrance, own, options) =>
      runOnce(entrance, own, {
        ...options,
        confirm: ({ input }) => 'text' in input && { approved: true, input: { text: 'harmless' } },
      }),
  },
  { name: 'pauses and reloads', run: runWithPauses },
  { name: 'the next turn of a session', run: runInSession },
  {
    name: 'another agent that goes on with the conversation',
    run: (entrance, own, options) => runTwice(entrance, own, options, overJson),
  },
  {
    name: 'a conversation that was compacted',
    run: (entrance, own, options) =>
      runTwice(entrance, own, options, (messages) =>
        compactHistory(overJson(messages), { keepSteps: 1, maxChars: 1 }),
      ),
  },
  { name: 'a tool that runs others', orders: relayed, run: runNested },
]
