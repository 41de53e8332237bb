import type { Dialect, WireWords } from './dialect.ts'

const dashedWords: WireWords = { wrong: /[^\w-]/g, maxChars: 64 }
const annotations = ['default', 'examples']
const numberBounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
const looseRules = new Set([
  ...[...annotations, ...numberBounds, 'minLength', 'maxLength', 'pattern', 'format'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
])
const commonFormats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']

const loose = {
  ...{ names: dashedWords, keeps: (keyword: string) => looseRules.has(keyword), isStrict: false },
  ...{ allRequired: false, takesReferences: true, nulls: 'type', takesOneOf: true, takesUntyped: true },
  ...{ takesOpenObjects: true, textEnums: false },
} as const satisfies Partial<Dialect>

const strict = {
  ...{ names: dashedWords, isStrict: true, takesOneOf: false, takesUntyped: false, takesOpenObjects: false },
  textEnums: false,
} as const satisfies Partial<Dialect>

/** Without strict mode: any JSON Schema below a root that is a plain object, and arrays that say what is in them. */
export const openaiLoose: Dialect = { title: 'OpenAI', ...loose }

const openaiRules = new Set([...numberBounds, 'minItems', 'maxItems'])

/** https://platform.openai.com/docs/guides/structured-outputs#supported-schemas */
export const openaiStrict: Dialect = {
  ...{ title: 'OpenAI in strict mode', ...strict, allRequired: true, takesReferences: true, nulls: 'type' },
  keeps: (keyword, value) =>
    openaiRules.has(keyword) ||
    (keyword === 'format' && commonFormats.includes(String(value))) ||
    (keyword === 'pattern' && isPlainPattern(value)),
}

const anthropicKeys: WireWords = { wrong: /[^\w.-]/g, maxChars: 64 }

/** Without strict mode: JSON Schema 2020-12 below a root that is a plain object; keys as its API demands them. */
export const anthropicLoose: Dialect = { title: 'Anthropic', ...loose, keys: anthropicKeys }

/** https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations */
export const anthropicStrict: Dialect = {
  ...{ title: 'Anthropic in strict mode', ...strict, keys: anthropicKeys, allRequired: false },
  ...{ takesReferences: false, nulls: 'anyOf' },
  keeps: (keyword, value) =>
    keyword === 'format'
      ? [...commonFormats, 'uri'].includes(String(value))
      : keyword === 'minItems' && Number(value) <= 1,
}

const geminiNames: WireWords = { wrong: /[^\w.:-]/g, start: /^[a-zA-Z_]/, maxChars: 64 }
const geminiKeys: WireWords = { wrong: /\W/g, start: /^[a-zA-Z_]/, maxChars: 64 }
const geminiRules = new Set([
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'],
  ...['minProperties', 'maxProperties'],
])
const geminiFormats = ['date-time', 'float', 'double', 'int32', 'int64']

/** The `parameters` of a function declaration: https://ai.google.dev/api/caching#Schema */
export const gemini: Dialect = {
  ...{ title: 'Gemini', names: geminiNames, keys: geminiKeys, isStrict: false, allRequired: false },
  ...{ takesReferences: false, nulls: 'nullable', takesOneOf: false, takesUntyped: false },
  ...{ takesOpenObjects: false, textEnums: true },
  keeps: (keyword, value) =>
    geminiRules.has(keyword) || (keyword === 'format' && geminiFormats.includes(String(value))),
}

/** Its `parametersJsonSchema`, which packages of the AI SDK fill or translate: null as JSON Schema has it. */
export const geminiJson: Dialect = {
  ...{ ...gemini, nulls: 'anyOf' },
  keeps: (keyword, value) =>
    ['minimum', 'maximum', 'minItems', 'maxItems'].includes(keyword) ||
    (keyword === 'format' && geminiFormats.includes(String(value))),
}

// The engines behind strict modes know no look-around and no back reference.
function isPlainPattern(pattern: unknown): boolean {
  return typeof pattern === 'string' && !/\(\?|\\[1-9kbB]/.test(pattern)
}
