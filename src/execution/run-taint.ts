import { defined } from '../tool/defined.ts'
import { holdsOthersWords } from '../tool/others-words.ts'
import type { TaintSource } from '../tool/taint-source.ts'
import { hasTrustedWords, originOf } from '../tool/tool-origin.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import { isAccepted, type ListedTool, rootOf } from '../toolset/listed-tool.ts'
import { sourceOfResult } from './source-of-result.ts'
import { noTaint, type Taint, type TaintState } from './taint.ts'
import { givesNothingNew } from './visible-tools.ts'

/** More sources than this of one kind are not kept: one is enough to be tainted. The oldest go. */
const maxSources = 40

/** What a given conversation brings into a run. */
export interface ReadBefore extends Taint {
  /** The tools of results of which the conversation does not say how far they are to be trusted. */
  readonly unjudged: readonly string[]
}

/**
 * What one run has read, as of its last model request: whoever writes a call knows no more than was in the request.
 * It only grows.
 */
export class RunTaint {
  #view: Taint
  /** The lists of tools that were offered before anything untrusted was read. */
  #offered = new Set<readonly ListedTool[]>()
  #known: Set<string> | undefined
  #unjudged: readonly string[]
  readonly #doubted: Set<string>

  /** @param from - Saved, or what a conversation brings. */
  constructor(from: TaintState | ReadBefore) {
    this.#view = {
      untrusted: from.untrusted.slice(0, maxSources),
      private: from.private.slice(0, maxSources),
    }
    this.#unjudged = 'unjudged' in from ? from.unjudged : []
    this.#known = 'known' in from && from.known !== undefined ? new Set(from.known) : undefined
    this.#doubted = new Set('doubted' in from ? from.doubted : [])
  }

  /** What was read. Another object whenever that changes. */
  get view(): Taint {
    return this.#view
  }

  get isTainted(): boolean {
    return this.#view.untrusted.length > 0
  }

  /** Whether results of a tool in the given conversation that say nothing of it are not to be trusted. */
  doubts(toolName: string): boolean {
    return this.#doubted.has(toolName) || this.#unjudged.includes(toolName)
  }

  /**
   * The model is offered these tools now, and reads their words. The tools of the first request, and those of later
   * ones until untrusted text is there, were not brought in by such text.
   */
  offer(listed: readonly ListedTool[]): void {
    const wasTainted = this.#known !== undefined
    if (!wasTainted) this.#offered.add(listed)
    if (this.#unjudged.length > 0) this.#judgeHistory(listed)
    for (const tool of unaccepted(listed)) {
      this.#add('untrusted', { kind: 'description', origin: originOf(tool), toolName: tool.definition.name })
    }
    this.#settleKnown()
  }

  /** A step that is over: its results are in the next request. */
  take(results: readonly ToolResult[], step: number): void {
    let brings = false
    for (const result of results) {
      const { taint } = result
      if (taint === undefined || !(taint.untrusted || taint.private)) continue
      const source = sourceOfResult(result, taint.origin, step)
      if (taint.untrusted) this.#add('untrusted', source)
      if (taint.private) this.#add('private', source)
      brings ||= taint.untrusted && !isSearch(result)
    }
    // What a search has found is offered in the request that tells of it: no untrusted text has brought it in.
    if (brings) this.#settleKnown()
  }

  /** A person has let a tool run: it is no longer one that untrusted text may have brought in. */
  accept(listed: ListedTool): void {
    this.#known?.add(keyOf(listed))
  }

  /** Whether a tool came to be offered only after untrusted text was there, and no person has let it run since. */
  isRevealed(listed: ListedTool): boolean {
    if (this.#known === undefined || this.#known.has(keyOf(listed))) return false
    return !givesNothingNew(rootOf(listed))
  }

  /** The app vouches for all that was read so far. Gives what that was. */
  clear(): Taint {
    const before = this.#view
    this.#view = noTaint
    this.#known = undefined
    this.#unjudged = []
    this.#doubted.clear()
    return before
  }

  /** What must be kept to go on later; undefined when nothing was read. */
  toState(): TaintState | undefined {
    const { untrusted, private: secret } = this.#view
    const doubted = [...new Set([...this.#doubted, ...this.#unjudged])]
    if (untrusted.length + secret.length + doubted.length === 0) return undefined
    const known = this.#known && [...this.#known]
    return defined({ untrusted, private: secret, known, doubted })
  }

  /** Of what is unsure the worse: a tool that is gone may have read anything. */
  #judgeHistory(listed: readonly ListedTool[]): void {
    const tools = new Map(listed.map((tool) => [tool.definition.name, tool]))
    for (const toolName of this.#unjudged) {
      const tool = tools.get(toolName)
      const labels = tool?.definition.labels
      const source: TaintSource = {
        kind: 'history',
        toolName,
        ...(tool === undefined ? {} : { origin: originOf(tool) }),
      }
      if (labels?.externalContent !== false) {
        this.#doubted.add(toolName)
        this.#add('untrusted', source)
      }
      if (labels?.reads !== 'public') this.#add('private', source)
    }
    this.#unjudged = []
  }

  #add(kind: keyof Taint, source: TaintSource): void {
    const sources = this.#view[kind]
    if (sources.some((known) => isSame(known, source))) return
    // A person is told of the newest first: no flood of harmless pages hides the one behind it.
    const all = Object.freeze([Object.freeze(source), ...sources.slice(0, maxSources - 1)])
    this.#view = Object.freeze({ ...this.#view, [kind]: all })
  }

  /** From the first untrusted text on, the tools that were offered until then are the known ones. */
  #settleKnown(): void {
    if (!this.isTainted || this.#known !== undefined || this.#offered.size === 0) return
    this.#known = new Set([...this.#offered].flatMap((listed) => listed.map(keyOf)))
    this.#offered.clear()
  }
}

/** Whether nothing was read that makes calls suspect. */
export function isClean({ untrusted, private: secrets }: Taint): boolean {
  return untrusted.length + secrets.length === 0
}

function isSame(one: TaintSource, other: TaintSource): boolean {
  if (one.kind !== other.kind) return false
  return one.kind === 'description'
    ? one.origin === other.origin
    : one.callId === other.callId && one.toolName === other.toolName
}

/** Whether a result is that of the library's own search for tools. */
function isSearch({ origin, response }: ToolResult): boolean {
  return origin === 'builtin' && holdsOthersWords(response)
}

/** Another definition under the name is another tool. */
function keyOf(listed: ListedTool): string {
  return JSON.stringify([originOf(listed), listed.definition.name, listed.fingerprint])
}

const withoutForeign = new WeakSet<readonly ListedTool[]>()

/** The tools whose words nobody has accepted. */
function unaccepted(listed: readonly ListedTool[]): readonly ListedTool[] {
  // Most lists have no tools of others, and most steps have the same list.
  if (withoutForeign.has(listed)) return []
  const foreign = listed.filter((tool) => !hasTrustedWords({}, originOf(tool)))
  if (foreign.length === 0) withoutForeign.add(listed)
  return foreign.filter((tool) => !isAccepted(tool))
}

/** Whether some results of a tool may be untrusted or private. */
export function mayTaint({ definition: { labels } }: ListedTool): boolean {
  return labels.externalContent !== false || labels.reads !== 'public'
}
