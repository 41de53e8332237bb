import { checkCount, checkMilliseconds, checkOptions } from '../tool/check-options.ts'
import { defined } from '../tool/defined.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import type { JsonObject } from '../tool/json-value.ts'
import type { RunContext } from '../tool/run-context.ts'
import { hasMethods, isRecord } from '../tool/value-kinds.ts'
import type { ElicitationAnswer, ElicitationRequest } from './connection/mcp-connection.ts'
import { cutText } from './cut-text.ts'
import { mcpTextNames } from './mcp-text-names.ts'
import type { MCPTexts } from './mcp-texts.ts'
import type { MCPAuth } from './oauth/authorization.ts'
import type { PinStore } from './pins/pin-store.ts'
import { checkServerUrl } from './server-url.ts'

/** A call of a server's tool, as `needsApproval` is asked about it. */
export interface MCPCall {
  /** The name that the server gave the tool. */
  readonly tool: string
  readonly input: JsonObject
}

/** What a server wants to know from the person. */
export interface MCPQuestion extends ElicitationRequest {
  /** Who asks: `mcp:` and the namespace. */
  readonly origin: string
}

/** What {@link MCPClient} takes. */
export interface MCPClientOptions {
  /** The whole address of the server. Plain http is for this machine alone; no user name, password or fragment. */
  readonly url: string | URL
  /**
   * What the app calls the server: 1 to 64 letters, digits, `_` or `-`. The tools are named `{namespace}_{name}`, and
   * their origin is `mcp:{namespace}`.
   */
  readonly namespace: string
  /** Sent with each request; a function is asked anew each time, so that a token in them can be renewed. */
  readonly headers?: MCPHeaders
  /** Signs in with OAuth: `oauth({ … })`. Such a client lives on the page, not in a worker. */
  readonly auth?: MCPAuth
  /**
   * Whether a person is asked before each call. A function that throws or is silent for 2 s means yes. A tool whose
   * definition was changed asks whatever this says. @default true
   */
  readonly needsApproval?: boolean | ((call: MCPCall, context: RunContext) => boolean | Promise<boolean>)
  /** Fingerprints by the server's own names: a server that offers anything else is not loaded at all. */
  readonly expectedFingerprints?: Readonly<Record<string, string>>
  /**
   * Remembers what the tools of a server were when its list was first read: all of them, called or not. A server is
   * told by namespace and address; of the query only a hash is kept. @default in IndexedDB, shared by all clients of
   * the page's origin
   */
  readonly pinStore?: PinStore
  /** Most tools that are read; the rest is set aside. @default 128 */
  readonly maxTools?: number
  /** Longer descriptions are cut, in characters. @default 4096 */
  readonly maxDescriptionChars?: number
  /** Of connecting, of one request, and of one call from its start, in milliseconds. @default 30000 */
  readonly timeoutMs?: number
  /** Longer texts of a result are cut, in characters. @default 50000 */
  readonly maxResultChars?: number
  /** Whether the address may be plain http to another machine. @default false */
  readonly allowInsecureHttp?: boolean
  /**
   * Asks the person what the server wants to know: `elicitDialog()`. Absent: the server is told that nobody can be
   * asked.
   */
  elicit?(request: MCPQuestion): Promise<ElicitationAnswer>
  /** What is used in place of the page's own `fetch`. */
  readonly fetch?: typeof fetch
  /** Sentences in place of the English ones; `mcpTextsZh` has all of them in Chinese. */
  readonly texts?: Partial<MCPTexts>
}

/** Headers that an app sends to its server. */
export type MCPHeaders =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)

type Defaulted = 'needsApproval' | 'maxTools' | 'maxDescriptionChars' | 'timeoutMs' | 'maxResultChars'

/** The options of a client, checked, with what holds where they say nothing. */
export type ClientSettings = Omit<MCPClientOptions, 'url' | 'allowInsecureHttp' | Defaulted> &
  Required<Pick<MCPClientOptions, Defaulted>> & { readonly url: URL }

// An object and not a list: a new option that is missing here does not compile.
const optionNames: Readonly<Record<keyof MCPClientOptions, true>> = {
  ...{ url: true, namespace: true, headers: true, auth: true, needsApproval: true, pinStore: true },
  ...{ expectedFingerprints: true, maxTools: true, maxDescriptionChars: true, timeoutMs: true },
  ...{ maxResultChars: true, allowInsecureHttp: true, elicit: true, fetch: true, texts: true },
}

/**
 * Checks all options of a client, and fills in the defaults. Touches nothing.
 *
 * @throws {@link ToolRegistrationError} that says which, and what to write instead.
 */
export function checkClientOptions(options: MCPClientOptions): ClientSettings {
  const where = 'new MCPClient()'
  checkOptions(options, Object.keys(optionNames), where, meantOption)
  const { namespace, allowInsecureHttp, url, ...rest } = options
  checkNamespace(namespace, where)
  if (options.texts !== undefined) {
    checkOptions(options.texts, mcpTextNames, `${where}, "${namespace}", texts`)
  }
  const mistake = firstMistake(options)
  if (mistake !== undefined) throw new ToolRegistrationError(`${where}, "${namespace}": ${mistake}`)
  checkCount(options.maxTools, 1, `${where}, "${namespace}": maxTools`)
  checkCount(options.maxDescriptionChars, 1, `${where}, "${namespace}": maxDescriptionChars`)
  checkCount(options.maxResultChars, 1, `${where}, "${namespace}": maxResultChars`)
  checkMilliseconds(options.timeoutMs, 'timeoutMs', `${where}, "${namespace}"`)
  return {
    ...{ needsApproval: true, maxTools: 128, maxDescriptionChars: 4_096 },
    ...{ timeoutMs: 30_000, maxResultChars: 50_000 },
    ...defined({ ...rest }),
    namespace,
    url: checkServerUrl(url, allowInsecureHttp ?? false, `${where}, "${namespace}"`),
  }
}

/** What other libraries call our options. */
function meantOption(name: string): string | undefined {
  if (/^(server|endpoint|uri|base)/i.test(name)) return 'url'
  if (/^(name|prefix|id)$/i.test(name)) return 'namespace'
  if (/^(request)?(timeout)/i.test(name)) return 'timeoutMs'
  return /confirm|approv/i.test(name) ? 'needsApproval' : undefined
}

function checkNamespace(namespace: unknown, where: string): void {
  if (typeof namespace === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(namespace)) return
  throw new ToolRegistrationError(
    `${where}: namespace is ${shown(namespace)}. Give 1 to 64 letters, digits, "_" or "-": the tools are named ` +
      '{namespace}_{name}, and their origin is mcp:{namespace}.',
  )
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(cutText(value, 80)) : String(value)
}

/** The first option that its type alone shows to be wrong, in words. */
function firstMistake(options: MCPClientOptions): string | undefined {
  const { headers, auth, needsApproval, expectedFingerprints, pinStore, allowInsecureHttp } = options
  const isFunction = (value: unknown) => value === undefined || typeof value === 'function'
  if (!isFunction(headers) && headers !== undefined && !isTextRecord(headers)) {
    return 'headers must be an object of strings, or a function that gives one.'
  }
  if (auth !== undefined && !hasMethods(auth, 'forServer')) return 'auth must be what oauth({ … }) gives.'
  if (!isFunction(needsApproval) && typeof needsApproval !== 'boolean') {
    return 'needsApproval must be true, false, or a function of the call.'
  }
  if (expectedFingerprints !== undefined && !isTextRecord(expectedFingerprints)) {
    return 'expectedFingerprints must be an object: { [name at the server]: fingerprint }.'
  }
  if (pinStore !== undefined && !hasMethods(pinStore, 'get', 'update')) {
    return 'pinStore must be what indexedDBPinStore() or memoryPinStore() gives.'
  }
  if (allowInsecureHttp !== undefined && typeof allowInsecureHttp !== 'boolean') {
    return 'allowInsecureHttp must be true or false.'
  }
  if (!isFunction(options.elicit)) return 'elicit must be a function that asks the person.'
  return isFunction(options.fetch) ? undefined : 'fetch must be a function.'
}

function isTextRecord(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((member) => typeof member === 'string')
}
