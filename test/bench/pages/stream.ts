import { Agent, type ModelAdapter, type ModelEvent, tool } from 'offstage'
import * as v from 'valibot'
import { busy, handicapMs, median, runs, timed, wait } from './measure.ts'

const chunks = 1_000
/** So long the model goes on after a call that it has closed. In milliseconds. */
const restMs = 30
/** By then the engine has compiled what is measured. */
const warmUps = 5

let startedAt = 0
const note = tool({
  name: 'note',
  description: 'Take a note.',
  inputSchema: v.object({ text: v.string() }),
  parallelSafe: true,
  effect: 'none',
  execute: () => {
    startedAt = performance.now()
    return 'ok'
  },
})

/** A model whose first message is given; then it answers. */
function saying(first: () => AsyncIterable<ModelEvent>): ModelAdapter {
  let asked = 0
  return {
    name: 'saying',
    stream() {
      asked += 1
      return asked === 1 ? first() : answer()
    },
  }
}

async function* answer(): AsyncGenerator<ModelEvent> {
  yield { type: 'text-delta', text: 'done' }
}

async function* text(): AsyncGenerator<ModelEvent> {
  for (let chunk = 0; chunk < chunks; chunk += 1) yield { type: 'text-delta', text: 'abcdef' }
}

async function* argumentsInPieces(): AsyncGenerator<ModelEvent> {
  const pieces = ['{"text":"', ...Array.from({ length: chunks - 2 }, () => 'abcdef'), '"}']
  for (const piece of pieces) yield { type: 'call-input-delta', key: '0', name: 'note', text: piece }
  yield { type: 'call', key: '0', name: 'note', input: pieces.join('') }
}

/** What a chunk costs whoever reads the events of a run, in microseconds. */
async function usPerChunk(first: () => AsyncIterable<ModelEvent>): Promise<number> {
  const read = async () => {
    for await (const _event of new Agent({ model: saying(first), tools: [note] }).stream('go'))
      busy(handicapMs / chunks)
  }
  return ((await timed(read)) * 1_000) / chunks
}

/** From the end mark of a call to the start of its tool, while the model goes on. */
async function eagerStart(): Promise<number> {
  let closedAt = 0
  async function* message(): AsyncGenerator<ModelEvent> {
    closedAt = performance.now()
    busy(handicapMs)
    yield { type: 'call', name: 'note', input: { text: 'a' }, closed: true }
    await wait(restMs)
  }
  await new Agent({ model: saying(message), tools: [note], eagerStart: true }).run('go')
  return startedAt - closedAt
}

/** What `bench loop` reports of a message as it streams. */
export async function measureStream(): Promise<Record<string, number>> {
  const figures = {
    textChunkUs: () => usPerChunk(text),
    argumentChunkUs: () => usPerChunk(argumentsInPieces),
    eagerStartMs: eagerStart,
  }
  const measured: Record<string, number> = {}
  for (const [name, measure] of Object.entries(figures)) {
    for (let run = 0; run < warmUps; run += 1) await measure()
    const all: number[] = []
    for (let run = 0; run < runs; run += 1) all.push(await measure())
    measured[name] = median(all)
  }
  return measured
}
