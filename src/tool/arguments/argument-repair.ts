/**
 * A rule that made arguments usable, as the result of the call names it:
 * - `name`: a known prefix (`functions.`, `default_api:`, `mcp__x__`), `()` or spaces round the tool's name
 * - `empty`: nothing, `null` or `[]` was sent where nothing is required, and was read as `{}`
 * - `code-fence`: the object stood in a code fence
 * - `surrounding-text`: there were words before or behind the object
 * - `encoded-twice`: the object was sent as a JSON string
 * - `wrapper`: the object was the `arguments` of `{ name, arguments }`
 * - `json-string`: a list or an object was sent as JSON text in a string
 * - `number`: a number was sent as a string
 * - `boolean`: `true` or `false` was sent as a string
 * - `null`: an optional field that takes no `null` was left out
 * - `big-integer`: the digits of an integer beyond 2^53 were kept as a string
 */
export type ArgumentRepair =
  | 'name'
  | 'empty'
  | 'code-fence'
  | 'surrounding-text'
  | 'encoded-twice'
  | 'wrapper'
  | 'json-string'
  | 'number'
  | 'boolean'
  | 'null'
  | 'big-integer'
