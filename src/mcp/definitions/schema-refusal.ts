/** A schema that cannot be used; the message says why, to stand behind "the input schema". */
export class SchemaRefusal extends Error {
  override readonly name = 'SchemaRefusal'
}
