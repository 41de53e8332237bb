/** RFC 6838 §4.2, with parameters behind it. */
const mediaType = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}\s*(;[\x20-\x7E]*)?$/

/** What is not said to be anything. RFC 2046 §4.5.1. */
const anyBytes = 'application/octet-stream'

/** A media type as a server gives it, with its parameters; `application/octet-stream` for what is none. */
export function readMediaType(value: unknown): string {
  return typeof value === 'string' && value.length <= 255 && mediaType.test(value) ? value : anyBytes
}

/** Whether bytes of this type are text that a model can read. An SVG is a picture, though it is written as text. */
export function isTextType(type: string): boolean {
  const [essence = ''] = type.toLowerCase().split(/\s*;/)
  return (
    essence.startsWith('text/') ||
    /^application\/(json|xml|(x-)?javascript|(x-)?yaml|toml|sql|graphql|x-ndjson)$/.test(essence) ||
    /^application\/.*\+(json|xml|yaml)$/.test(essence)
  )
}

/** Bytes as the text that they are; UTF-8 unless the type names another encoding that is known. */
export function decodeText(bytes: Uint8Array, type: string): string {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(type)?.[1]
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

/** The first bytes of what every provider of models that see pictures or read documents takes. */
const signatures: readonly (readonly [type: string, pattern: RegExp])[] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xFF\xD8\xFF/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
  ['application/pdf', /^%PDF-/],
]

/**
 * What bytes are, if it is one of the few things that models take. Read from the bytes, not believed: a provider
 * refuses a picture under a wrong type, and with it every later request of the conversation.
 */
export function typeForModels(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 12))
  return signatures.find(([, pattern]) => pattern.test(start))?.[0]
}
