import type { LabTool } from './lab-options.ts'

/** A tool with any input that answers with this text. */
export function textTool(name: string, text = name): LabTool {
  return { definition: { name, inputSchema: { type: 'object' } }, call: () => textResult(text) }
}

export function textResult(text: string): Readonly<Record<string, unknown>> {
  return { content: [{ type: 'text', text }] }
}

/** After so many milliseconds, or when the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** What a lab server offers when nothing else was asked for. */
export const usualTools: readonly LabTool[] = [
  {
    definition: {
      name: 'echo',
      description: 'Says the text again.',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    },
    call: ({ text }) => textResult(String(text)),
  },
  {
    definition: {
      name: 'slow',
      description: 'Answers after some milliseconds, with progress in steps if they are asked for.',
      inputSchema: {
        type: 'object',
        properties: { ms: { type: 'number' }, steps: { type: 'integer' } },
        required: ['ms'],
      },
    },
    async call({ ms, steps = 0 }, { signal, progress }) {
      const count = Number(steps)
      for (let step = 1; step <= count; step++) {
        await sleep(Number(ms) / count, signal)
        progress(step, count, `step ${step}`)
      }
      if (count === 0) await sleep(Number(ms), signal)
      return textResult('done')
    },
  },
  {
    definition: { name: 'fails', description: 'Always fails.', inputSchema: { type: 'object' } },
    call: () => ({ ...textResult('quota used up'), isError: true }),
  },
]
