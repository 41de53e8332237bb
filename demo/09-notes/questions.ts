import { type ModelRequest, withoutFence } from 'offstage'
import { ScriptedModel } from 'offstage/testing'

/** Something to ask the agent, and the script that then plays the model. */
export interface Question {
  readonly label: string
  readonly text: string
  script(): ScriptedModel
}

const path = 'builds/monday.md'

/** The model looks what is there, then adds a line: that alone asks. */
const keep: Question = {
  label: 'Keep a note',
  text: 'Please note that Monday’s build took 4 minutes and passed.',
  script: () =>
    new ScriptedModel([
      {
        text: 'I look what I have noted already.',
        calls: [ScriptedModel.toolCall('notes', { action: 'search', query: 'build' })],
      },
      {
        text: 'I add a line.',
        calls: [
          ScriptedModel.toolCall('notes', {
            ...{ action: 'append', path },
            content: 'The build took 4 minutes and passed.',
          }),
        ],
      },
      (request) =>
        lastOutcome(request) === 'success'
          ? `Noted in ${path}. It stays when you close the page.`
          : 'I have noted nothing.',
    ]),
}

const recall: Question = {
  label: 'Ask what was noted',
  text: 'How did the build go?',
  script: () =>
    new ScriptedModel([
      { calls: [ScriptedModel.toolCall('notes', { action: 'read', path })] },
      (request) => `My note says: ${lastText(request)}`,
    ]),
}

/** What the buttons ask. */
export const questions: readonly Question[] = [keep, recall]

/** A question that is a command: the model runs it and tells what came. */
export function commandQuestion(command: string): Question {
  return {
    label: 'Run it',
    text: `Run ${command}`,
    script: () =>
      new ScriptedModel([
        { calls: [ScriptedModel.toolCall('shell', { command })] },
        (request) => answers[lastOutcome(request)] ?? 'It did not run: the result says why.',
      ]),
  }
}

const answers: Readonly<Record<string, string>> = {
  success: 'That is what it printed.',
  partial: 'It ran, but not to a good end: its exit code and output are above.',
  denied: 'I have run nothing.',
}

function lastResult({ messages }: ModelRequest) {
  const last = messages.at(-1)
  return last?.role === 'tool' ? last.results.at(-1) : undefined
}

function lastText(request: ModelRequest): string {
  return withoutFence(lastResult(request)?.text ?? '')
}

function lastOutcome(request: ModelRequest): string {
  return lastResult(request)?.outcome ?? ''
}
