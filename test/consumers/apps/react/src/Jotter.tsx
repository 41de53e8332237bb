import { useAgentSession, usePendingApprovals, useTool } from 'offstage/react'
import { useState } from 'react'
import { jotInput, jotterTools, makeJotterAgent } from './notes/jotter'

/** A list that an agent adds to with a tool of this component. */
export function Jotter() {
  const [agent] = useState(makeJotterAgent)
  const { session, status, messages } = useAgentSession(agent)
  const questions = usePendingApprovals(session)
  const [jots, setJots] = useState<readonly string[]>([])

  useTool(
    jotterTools,
    { name: 'jot', description: 'Jot something down.', inputSchema: jotInput, needsApproval: false },
    ({ text }) => {
      // Only the newest render knows all of them.
      setJots([...jots, `${jots.length}: ${text}`])
      return 'Kept.'
    },
  )

  return (
    <section>
      <button type="button" onClick={() => void session.send('Jot twice.')}>
        Jot twice
      </button>
      <output aria-label="Jotter">
        {`${status}, ${messages.length} messages`}
        {questions.map(({ toolName }) => `, ${toolName}?`)}
      </output>
      <output aria-label="Jots">{jots.join(', ')}</output>
    </section>
  )
}
