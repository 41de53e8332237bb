import type { JsonFault } from './arguments/scan-json.ts'
import { shorten } from './error-data.ts'
import type { ToolIssue } from './json-value.ts'
import type { PolicyTexts } from './policy-texts.ts'
import type { ResultTexts } from './result-texts.ts'

/**
 * Every sentence of the library that a model reads. Replace any of them with the `texts` option; complete
 * sets ship as {@link modelTextsEn} and `modelTextsZh`.
 */
export interface ModelTexts {
  /** The tool gave back nothing. */
  readonly noOutput: string
  /** In place of an empty list of tools. */
  readonly noTools: string
  /** One parameter in a description of tools. */
  parameterLine(parameter: ParameterLine): string
  unknownTool(name: string, visible: readonly string[], closest: string | undefined): string
  /**
   * A call of a tool that the model is not offered yet. With the name of the tool that searches for tools it is to be
   * found first; without one it is offered from now on.
   */
  notLoaded(name: string, search: string | undefined): string
  notAnObject(name: string): string
  /** The arguments are no JSON; says where and what to send instead. */
  notJson(name: string, fault: JsonFault): string
  /** What is wrong with the arguments. What to do about it is said by `tryAgain` or `exhausted`. */
  invalidInput(name: string, issues: readonly ToolIssue[]): string
  /** Behind a failure that the model can mend. */
  readonly tryAgain: string
  /** Behind the failure that was the tool's last try in the run. */
  exhausted(name: string, attempts: number): string
  /** A call of a tool that failed too often in this run. */
  closed(name: string): string
  notAllowed(name: string, reason: string): string
  deniedByName(name: string): string
  deniedByOrigin(origin: string): string
  notOnAllowList(name: string, origin: string): string
  /** The person said no. */
  denied(name: string, reason: string | undefined): string
  /** A rule of the policy refuses the call. */
  againstPolicy(name: string, reason: string): string
  /** The tool needs a yes and nobody is there to give one. */
  nobodyToAsk(name: string): string
  /** The question was withdrawn: it timed out, or its page went away. */
  notAnswered(name: string, reason: string): string
  /** The run went on, or was continued, without an answer to the question. */
  leftOpen(name: string): string
  /** While nobody has answered yet. */
  waiting(name: string): string
  /** Behind the instructions, while sources of tools cannot be used: each by its label. */
  unreachable(sources: readonly string[]): string
  confirmFailed(name: string, reason: string): string
  inputEdited(input: string): string
  /** The person's note with a yes. */
  approvedWithNote(note: string): string
  blockedByMiddleware(name: string, reason: string): string
  middlewareFailed(name: string, reason: string): string
  changedTwice(name: string): string
  askedTwice(name: string): string
  toolChanged(name: string): string
  timeout(name: string, timeoutMs: number): string
  checkTimeout(name: string): string
  stateLost: string
  stillRunning: string
  cancelled(name: string, mayHaveRun: boolean): string
  mayHaveRun(name: string, reason: string): string
  /** The page went away while the call ran. */
  interrupted(name: string): string
  /** Its start could not be written down, so it was not started. */
  notJournalled(name: string, reason: string): string
  /** The final answer was given in the same message. */
  answerGiven(name: string): string
  /** The model wrote text where the final answer must come through the tool of this name. */
  answerThrough(name: string): string
  callLimit(name: string, limit: number): string
  toolLimit(name: string, limit: number): string
  /** The tool's own limit of calls in one run. */
  ownLimit(name: string, limit: number): string
  cutOff(name: string, reason: string): string
  threw(name: string, message: string): string
  /** In place of an image or a file of a result that could not be read. */
  lostPart(name: string): string
  /** Behind what is said of a call that was cancelled for another one. */
  readonly siblingFailed: string
  /** About what results hold, and about long ones. The English sentences are fetched when one is first needed. */
  readonly results?: Partial<ResultTexts>
  /** Why the policy asks or refuses, in place of the English sentences, which are fetched with the gate. */
  readonly policy: Partial<PolicyTexts>
}

/** What is known of one parameter of a tool. */
export interface ParameterLine {
  readonly name: string
  readonly type: string
  readonly required: boolean
  /** The default as JSON text. */
  readonly fallback: string | undefined
  readonly description: string
}

/** At most this many issues are told; the rest are counted. */
const maxIssues = 10
const maxIssueChars = 200

/** Renders issues as `parameter 'a.b': message`, bounded in number and length. */
export function issueLines(
  issues: readonly ToolIssue[],
  parameter: string,
  root: string,
  more: string,
): string {
  const lines = issues.slice(0, maxIssues).map(({ path, message }) => {
    return `${path === '' ? root : `${parameter} '${path}'`}: ${shorten(message, maxIssueChars)}`
  })
  if (issues.length > maxIssues) lines.push(`${more} ${issues.length - maxIssues}`)
  return lines.join('; ')
}

function notExecuted(name: string, why: string): string {
  return `${name} was not executed: ${why}.`
}

function interrupted(name: string, why: string): string {
  return `${name} was interrupted: ${why}. It may have run; check before you call it again.`
}

const unlessAsked = 'Do not call it again unless the user asks'
const answerNow = 'Answer with what you have'

const faultsEn: Readonly<Record<Exclude<JsonFault['kind'], 'cut-off'>, string>> = {
  quote: 'keys and strings need double quotes',
  literal: 'this is no value of JSON',
  comment: 'JSON has no comments',
  depth: 'nested too deeply',
  more: 'something follows the object; make one call for each',
  around: 'send no text with the object',
  syntax: 'not expected here',
}

/** The English texts, which are the default. */
export const modelTextsEn: ModelTexts = {
  noOutput: '(no output)',
  noTools: '(no tools)',
  parameterLine: ({ name, type, required, fallback, description }) =>
    `${name} (${type}, ${required ? 'required' : 'optional'}${fallback === undefined ? '' : `, default ${fallback}`})${description === '' ? '' : `: ${description}`}`,
  unknownTool: (name, visible, closest) =>
    `There is no tool named "${name}".${closest === undefined ? '' : ` Did you mean "${closest}"?`} Available tools: ${visible.join(', ') || 'none'}.`,
  notLoaded: (name, search) =>
    notExecuted(
      name,
      search === undefined
        ? 'it was not loaded. It is loaded now: read its parameters, then call it again'
        : `it is not loaded. Find it with ${search} first, then call it`,
    ),
  notAnObject: (name) => `The arguments for ${name} are not valid. Send one JSON object, for example {}.`,
  notJson: (name, { kind, at, found }) =>
    kind === 'cut-off'
      ? `The arguments for ${name} were cut off at character ${at + 1}. Send all of them again, shorter.`
      : `The arguments for ${name} are not valid JSON at character ${at + 1} (${found}): ${faultsEn[kind]}. Send one JSON object.`,
  invalidInput: (name, issues) =>
    `The arguments for ${name} are not valid. ${issueLines(issues, 'parameter', 'the whole input', 'more problems:')}.`,
  tryAgain: 'Fix this and call again.',
  exhausted: (name, attempts) =>
    `${name} failed ${attempts === 1 ? '' : `${attempts} times in a row `}and is closed for the rest of this run. Do not call it again.`,
  closed: (name) => notExecuted(name, 'it failed too often and is closed for the rest of this run'),
  notAllowed: (name, reason) => notExecuted(name, `it is not allowed: ${reason}. Do not call it again`),
  deniedByName: (name) => `"${name}" is on the deny list`,
  deniedByOrigin: (origin) => `origin "${origin}" is on the deny list`,
  notOnAllowList: (name, origin) => `"${name}" (origin "${origin}") is not on the allow list`,
  denied: (name, reason) =>
    notExecuted(name, `the user said no${reason === undefined ? '' : ` (${reason})`}. ${unlessAsked}`),
  againstPolicy: (name, reason) => notExecuted(name, `the policy forbids it. ${reason} ${unlessAsked}`),
  nobodyToAsk: (name) =>
    notExecuted(name, 'it needs approval, and nobody is here to give it. Do not call it again'),
  notAnswered: (name, reason) =>
    notExecuted(name, `the question to the user ended without an answer (${reason})`),
  leftOpen: (name) => notExecuted(name, `the user did not answer. ${unlessAsked}`),
  waiting: (name) => `${name} waits for an answer.`,
  unreachable: (sources) =>
    `These sources of tools cannot be reached now, and their tools are missing: ${sources.join(', ')}. ` +
    'If the task needs them, say so.',
  confirmFailed: (name, reason) => notExecuted(name, `asking the user failed (${reason})`),
  inputEdited: (input) => `(The user changed the arguments. What ran: ${input})`,
  approvedWithNote: (note) => `(The user approved this with a note: ${note})`,
  blockedByMiddleware: (name, reason) => notExecuted(name, `it was blocked (${reason})`),
  middlewareFailed: (name, reason) =>
    `${name} ran, but its result was lost: ${reason}. It may have had its effect.`,
  changedTwice: (name) => notExecuted(name, 'its arguments were changed after the user approved them'),
  askedTwice: (name) => notExecuted(name, 'it asked for approval twice'),
  toolChanged: (name) => notExecuted(name, 'it was replaced while the user was asked. Call it again'),
  timeout: (name, timeoutMs) => `${name} was stopped: it did not finish within ${timeoutMs} ms.`,
  checkTimeout: (name) => notExecuted(name, 'checking its arguments did not finish in time'),
  stateLost: 'The state that it kept is lost.',
  stillRunning: 'It may still be running.',
  cancelled: (name, mayHaveRun) =>
    `${name} was cancelled${mayHaveRun ? '. It may have run in part' : ' before it ran'}.`,
  mayHaveRun: interrupted,
  interrupted: (name) => interrupted(name, 'the page was closed'),
  notJournalled: (name, reason) => notExecuted(name, `its start could not be stored (${reason})`),
  answerGiven: (name) => notExecuted(name, 'the final answer was given in the same message'),
  answerThrough: (name) => `Give your final answer by calling ${name}.`,
  callLimit: (name, limit) =>
    notExecuted(name, `at most ${limit} calls run in one step. Call it again in the next`),
  toolLimit: (name, limit) => notExecuted(name, `at most ${limit} calls run in one run. ${answerNow}`),
  ownLimit: (name, limit) => notExecuted(name, `at most ${limit} calls of it run in one run. ${answerNow}`),
  cutOff: (name, reason) => notExecuted(name, `your message was cut off (${reason})`),
  threw: (_name, message) => message,
  lostPart: (name) => `[${name}: could not be read]`,
  siblingFailed: 'Another call of this step failed.',
  policy: {},
}
