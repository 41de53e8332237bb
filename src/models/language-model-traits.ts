import type { ToolDialect } from './tool-wire.ts'

/** What differs between providers and the specification does not tell. */
export interface ProviderTraits {
  /** Mistral's models: the id of a call is nine letters and digits, and after results a model must speak. */
  readonly isMistral: boolean
  /** The ids of calls that it takes of those that other providers made. */
  readonly callId: RegExp
  /** The media types that it takes in the result of a call. Absent: none, files would go as base64 text. */
  readonly inResults: RegExp | undefined
  /** Whether it takes back the files that a model made. */
  readonly takesMadeFiles: boolean
  /** Whether a call that comes before the end of the message was closed by the provider, not by its package. */
  readonly closesCalls: boolean
  /** Whose rules its tools are written by. */
  readonly dialect: ToolDialect
  /** How long the description of a tool may be. */
  readonly maxDescriptionChars: number | undefined
}

const everything = /./

/**
 * Rules by the name of the provider; where an API's reference says nothing, found in the sources of its package.
 * Anthropic takes ids of letters, digits, `_` and `-` (https://platform.claude.com/docs/en/api/messages).
 */
export function traitsOf(provider: string, modelId: string): ProviderTraits {
  // A gateway passes the prompt on to the package of the provider that its model id begins with.
  const name = provider === 'gateway' ? modelId : provider
  const anthropic = /anthropic|bedrock/.test(name)
  const google = /google|vertex/.test(name) && !anthropic
  const responses = /\.responses$|^openai\//.test(name)
  return {
    // By the model too: its chat templates ask for it wherever it is served.
    isMistral: /mistral|ministral|magistral|devstral|codestral/i.test(`${provider} ${modelId}`),
    callId: anthropic ? /^[\w-]+$/ : everything,
    inResults: anthropic ? /^image\/|^application\/pdf$/ : google || responses ? everything : undefined,
    takesMadeFiles: google,
    dialect: anthropic ? 'anthropic' : google ? 'gemini' : 'openai',
    maxDescriptionChars: /^(openai|azure)\b/.test(name) ? 1024 : undefined,
    closesCalls: anthropic || google || responses,
  }
}
