import * as v from 'valibot'

/** A tool that lives as long as a part of the page; what it does is said where the notes are. */
export const addNote = {
  name: 'add_note',
  description: 'Put a short note on the page that the person sees.',
  inputSchema: v.object({ text: v.string() }),
} as const
