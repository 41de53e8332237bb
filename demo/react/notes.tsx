import type { ToolRegistry } from 'offstage'
import { useTool } from 'offstage/react'
import { useState } from 'react'
import { addNote } from '../07-chat/add-note.ts'

/** While these notes are on the page, the model can write some. */
export function Notes({ registry }: { registry: ToolRegistry }) {
  const [notes, setNotes] = useState<readonly { id: number; text: string }[]>([])
  useTool(registry, addNote, ({ text }) => {
    setNotes([...notes, { id: notes.length, text }])
    return `Note ${notes.length + 1} is on the page.`
  })
  return (
    <section className="panel" aria-labelledby="notes">
      <h2 id="notes">Notes</h2>
      {notes.length === 0 && <p className="empty">The tool add_note of this component writes here.</p>}
      <ul className="outbox">
        {notes.map((note) => (
          <li key={note.id}>{note.text}</li>
        ))}
      </ul>
    </section>
  )
}
