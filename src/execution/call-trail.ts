import type { EndedCall } from './prepare-call.ts'

/** What one stage of the gate said of a call. */
export interface StageAnswer {
  /**
   * `find` whether there is the tool, `permit` permissions and closed tools, `middleware`, `preflight` schema and the
   * tool's own check, `tool` whether it wants a person asked, `policy` a rule, `grant` an earlier yes, `person`, and
   * `run` how it ended.
   */
  readonly stage:
    | 'find'
    | 'permit'
    | 'middleware'
    | 'preflight'
    | 'tool'
    | 'policy'
    | 'grant'
    | 'person'
    | 'run'
  /** `allow`, `confirm` or `deny`; of `run` the outcome. */
  readonly answer: string
  /** The rule, or for how long an earlier yes holds. */
  readonly by?: string
  readonly reason?: string
}

/** In the order of the gate. */
const stages: readonly StageAnswer['stage'][] = [
  ...(['find', 'permit', 'middleware', 'preflight'] as const),
  ...(['tool', 'policy', 'grant', 'person'] as const),
]

/** More calls are not kept: the oldest go. */
const maxCalls = 200

/** What the stages said of the last calls that were not simply let through: nothing is kept of those that were. */
export class CallTrail {
  readonly #answers = new Map<string, StageAnswer[]>()

  /** Adds what a stage said. */
  note(callId: string, answer: StageAnswer): void {
    const answers = this.#answers.get(callId) ?? this.#open(callId)
    const isSaid = answers.some(
      (one) => one.stage === answer.stage && one.by === answer.by && one.reason === answer.reason,
    )
    if (!isSaid) answers.push(Object.freeze(answer))
  }

  /** Adds how a call ended: what a gate refused, and what was asked about. */
  end({ settlement, call }: EndedCall): void {
    const { outcome, error, response } = settlement
    const stage = call.decision === undefined ? gateOf(outcome, error?.code) : undefined
    if (stage !== undefined && error?.code !== 'policy') {
      this.note(call.id, { stage, answer: 'deny', reason: response.text })
    }
    if (this.#answers.has(call.id)) this.note(call.id, { stage: 'run', answer: outcome })
  }

  /**
   * What was said of a call, stage by stage; undefined for one that was let through, or is not known any more. Of a
   * stage that a call has passed without a word, it is `allow`.
   */
  of(callId: string): readonly StageAnswer[] | undefined {
    const answers = this.#answers.get(callId)
    if (answers === undefined) return undefined
    const last = Math.max(
      ...answers.filter(({ stage }) => stage !== 'run').map(({ stage }) => stages.indexOf(stage)),
    )
    const passed = stages.slice(0, last + 1).flatMap((stage) => {
      const said = answers.filter((one) => one.stage === stage)
      // Nobody is asked, and nothing remembered is used, but where it is noted.
      return said.length > 0 || stage === 'grant' || stage === 'person' ? said : [{ stage, answer: 'allow' }]
    })
    return [...passed, ...answers.filter(({ stage }) => stage === 'run')]
  }

  #open(callId: string): StageAnswer[] {
    const [oldest] = this.#answers.keys()
    if (this.#answers.size >= maxCalls && oldest !== undefined) this.#answers.delete(oldest)
    const answers: StageAnswer[] = []
    this.#answers.set(callId, answers)
    return answers
  }
}

/** Which gate it was that ended a call before it was judged. */
function gateOf(outcome: string, code: string | undefined): StageAnswer['stage'] | undefined {
  if (outcome === 'unknown') return 'find'
  if (code === 'middleware') return 'middleware'
  if (outcome === 'not-allowed' || outcome === 'limit' || outcome === 'cut-off') return 'permit'
  return outcome === 'invalid' || outcome === 'error' || outcome === 'timeout' ? 'preflight' : undefined
}

/** What the stages said of a call that was let through by all of them. */
export function letThrough(outcome: string): readonly StageAnswer[] {
  const passed = stages.slice(0, stages.indexOf('grant'))
  return [...passed.map((stage) => ({ stage, answer: 'allow' })), { stage: 'run', answer: outcome }]
}
