import type { RunResult } from 'offstage'
import { useState } from 'react'
import { Jotter } from './Jotter'
import { makeNotesAgent, question } from './notes/notes-agent'
import { callLines, conversationLines } from './notes/run-lines'
import { useWorkerTools } from './use-worker-tools'

export function App({ title }: { title: string }) {
  const { workerTools, state } = useWorkerTools()
  const [answer, setAnswer] = useState('')
  const [result, setResult] = useState<RunResult>()

  async function ask() {
    setAnswer('Working…')
    try {
      const ended = await makeNotesAgent(workerTools).run(question)
      setResult(ended)
      setAnswer(ended.finalOutput)
    } catch (error) {
      setAnswer(String(error))
    }
  }

  return (
    <main>
      <h1>{title}</h1>
      <p>Tools: {state}</p>
      <button type="button" onClick={ask}>
        Ask the agent
      </button>
      <p role="status" aria-label="Answer">
        {answer}
      </p>
      <Lines label="Conversation" lines={result === undefined ? [] : conversationLines(result)} />
      <Lines label="Calls" lines={result === undefined ? [] : callLines(result)} />
      <Jotter />
    </main>
  )
}

function Lines({ label, lines }: { label: string; lines: readonly string[] }) {
  return (
    <ol aria-label={label}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ol>
  )
}
