import type { MCPCall } from '../../mcp/mcp-options.ts'
import { mcpTextNames } from '../../mcp/mcp-text-names.ts'
import { type MCPTexts, mcpTextsEn } from '../../mcp/mcp-texts.ts'
import type { PinStore } from '../../mcp/pins/pin-store.ts'
import { checkCount, checkMilliseconds, checkOptions } from '../../tool/check-options.ts'
import { ToolRegistrationError } from '../../tool/errors.ts'
import type { RunContext } from '../../tool/run-context.ts'
import { hasMethods, isStringList } from '../../tool/value-kinds.ts'
import type { WebMCPContext } from './model-context.ts'

/** A call of a page's tool, as `needsApproval` is asked about it. */
export interface WebMCPCall extends MCPCall {
  /** Whose tool it is, for example `https://shop.example`: two pages may have tools of one name. */
  readonly page: string
}

/** What {@link fromWebMCP} takes. */
export interface FromWebMCPOptions {
  /**
   * Origins of frames whose tools are wanted beside the page's own: `https://shop.example`. A frame must expose its
   * tools to the page. @default none
   */
  readonly origins?: readonly string[]
  /**
   * Whether a person is asked before each call. A function that throws or is silent for 2 s means yes. A tool whose
   * definition was changed asks whatever this says. @default true
   */
  readonly needsApproval?: boolean | ((call: WebMCPCall, context: RunContext) => boolean | Promise<boolean>)
  /** Remembers what the tools of each origin were when they were first read. @default in IndexedDB, as for MCP servers */
  readonly pinStore?: PinStore
  /** Most tools of one origin that are read; the rest is set aside. @default 128 */
  readonly maxTools?: number
  /** Longer descriptions are cut, in characters. @default 4096 */
  readonly maxDescriptionChars?: number
  /** Deadline of one call, and of reading the tools, in milliseconds. @default 30000 */
  readonly timeoutMs?: number
  /** Longer texts of a result are cut, in characters. @default 50000 */
  readonly maxResultChars?: number
  /** Sentences in place of the English ones; `mcpTextsZh` has all of them in Chinese. */
  readonly texts?: Partial<MCPTexts>
  /** Where the tools are. @default the page's own */
  readonly context?: WebMCPContext
}

/** The options, checked, with what holds where they say nothing. */
export interface WebMCPSettings extends Required<Omit<FromWebMCPOptions, 'pinStore' | 'context' | 'texts'>> {
  readonly pinStore?: PinStore
  readonly context?: WebMCPContext
  readonly texts: MCPTexts
}

// An object and not a list: a new option that is missing here does not compile.
const optionNames: Readonly<Record<keyof FromWebMCPOptions, true>> = {
  ...{ origins: true, needsApproval: true, pinStore: true, maxTools: true, maxDescriptionChars: true },
  ...{ timeoutMs: true, maxResultChars: true, texts: true, context: true },
}

const where = 'fromWebMCP()'

/**
 * Checks all options, and fills in the defaults. Touches nothing.
 *
 * @throws {@link ToolRegistrationError} that says which, and what to write instead.
 */
export function checkWebMCPOptions(options: FromWebMCPOptions): WebMCPSettings {
  checkOptions(options, Object.keys(optionNames), where)
  const { origins = [], needsApproval = true, pinStore, context, texts, ...rest } = options
  const mistake = firstMistake(options)
  if (mistake !== undefined) throw new ToolRegistrationError(`${where}, ${mistake}`)
  if (texts !== undefined) checkOptions(texts, mcpTextNames, `${where}, texts`)
  checkCount(rest.maxTools, 1, `${where}, maxTools`)
  checkCount(rest.maxDescriptionChars, 1, `${where}, maxDescriptionChars`)
  checkCount(rest.maxResultChars, 1, `${where}, maxResultChars`)
  checkMilliseconds(rest.timeoutMs, 'timeoutMs', where)
  return {
    ...{ maxTools: 128, maxDescriptionChars: 4_096, timeoutMs: 30_000, maxResultChars: 50_000, ...rest },
    ...{ origins: origins.map((origin) => new URL(origin).origin), needsApproval },
    ...(pinStore && { pinStore }),
    ...(context && { context }),
    texts: { ...mcpTextsEn, ...texts },
  }
}

function firstMistake({
  origins = [],
  needsApproval = true,
  pinStore,
  context,
}: FromWebMCPOptions): string | undefined {
  const wrong = isStringList(origins) ? origins.find((origin) => !isOrigin(origin)) : String(origins)
  if (wrong !== undefined) {
    return `origins: ${JSON.stringify(wrong)} is no origin. Give a list of them, as "https://shop.example".`
  }
  if (typeof needsApproval !== 'boolean' && typeof needsApproval !== 'function') {
    return 'needsApproval: expected true, false, or a function of the call.'
  }
  if (pinStore !== undefined && !hasMethods(pinStore, 'get', 'update')) {
    return 'pinStore: expected what indexedDBPinStore() or memoryPinStore() gives.'
  }
  if (context !== undefined && !hasMethods(context, 'registerTool')) {
    return 'context: expected a ModelContext, as document.modelContext.'
  }
  return undefined
}

/** Whether a text is a whole origin and nothing more; a slash at its end is forgiven. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { origin, protocol } = new URL(text)
  return /^https?:$/.test(protocol) && (text === origin || text === `${origin}/`)
}
