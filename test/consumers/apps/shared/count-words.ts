import { tool } from 'offstage'
import * as v from 'valibot'

/** Runs in the worker. */
export const countWords = tool({
  name: 'count_words',
  description: 'Count the words of a text.',
  inputSchema: v.object({ text: v.string() }),
  parallelSafe: true,
  effect: 'none',
  execute: ({ text }) => `${text.split(/\s+/).filter(Boolean).length} words`,
})
