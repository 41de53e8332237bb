import { errorToData } from '../tool/error-data.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import type { PortableDefinition, Projection } from './projection.ts'
import { marked } from './wire-words.ts'

/** The tools of one request, and the way back from the wire. */
export interface ProjectedTools<Payload> {
  /** What is sent, in the order of the definitions. */
  readonly tools: readonly Payload[]
  /** Tools that cannot be sent, and why. */
  readonly setAside: readonly { readonly name: string; readonly reason: string }[]
  /** The name on the wire of a tool, for the history and the choice of a tool; undefined for one that is not sent. */
  wireName(name: string): string | undefined
  /** The projection of the tool that has a name on the wire. */
  byWireName(wireName: string): NamedProjection<Payload> | undefined
  /** The projection of the tool of a name. */
  byName(name: string): NamedProjection<Payload> | undefined
}

/** A projection with the tool's own name. */
export interface NamedProjection<Payload> {
  readonly toolName: string
  readonly projection: Projection<Payload>
}

/** Projects one definition: `forOpenAI` and the others do. */
export type Project<Payload, Definition extends PortableDefinition = PortableDefinition> = (
  definition: Definition,
  options?: { readonly name?: string },
) => Projection<Payload>

/**
 * Projects the tools of one request. No two get the same name on the wire: a name that the provider takes stays, others
 * get a mark at their end that does not depend on the order. A tool that cannot be sent is set aside with the reason,
 * so that the others work.
 *
 * @throws ToolRegistrationError that names all tools that cannot be sent, with `onInvalid: 'throw'`.
 * @example
 * const { tools, setAside, byWireName } = projectTools(definitions, forGemini)
 * const call = byWireName(functionCall.name)
 */
export function projectTools<Payload, Definition extends PortableDefinition>(
  definitions: readonly Definition[],
  project: Project<Payload, Definition>,
  { onInvalid = 'setAside' }: { readonly onInvalid?: 'setAside' | 'throw' } = {},
): ProjectedTools<Payload> {
  const setAside: { name: string; reason: string }[] = []
  const found: { definition: Definition; projection: Projection<Payload> }[] = []
  for (const definition of definitions) {
    try {
      found.push({ definition, projection: project(definition) })
    } catch (error) {
      setAside.push({ name: String(Object(definition).name), reason: errorToData(error).message })
    }
  }
  if (onInvalid === 'throw' && setAside.length > 0) {
    throw new ToolRegistrationError(setAside.map(({ reason }) => reason).join('\n'))
  }
  const named = found.map(({ definition, projection }) => {
    const name = uniqueName(definition.name, projection.name, found)
    const own = name === projection.name ? projection : project(definition, { name })
    return { toolName: definition.name, projection: own }
  })
  const byName = new Map(named.map((one) => [one.toolName, one]))
  const byWireName = new Map(named.map((one) => [one.projection.name, one]))
  return {
    tools: named.map(({ projection }) => projection.tool),
    setAside,
    wireName: (name) => byName.get(name)?.projection.name,
    byName: (name) => byName.get(name),
    byWireName: (name) => byWireName.get(name),
  }
}

/** The name on the wire, marked when it is also that of another tool. */
function uniqueName(
  name: string,
  wireName: string,
  all: readonly { readonly definition: PortableDefinition; readonly projection: Projection<unknown> }[],
): string {
  if (name === wireName) return name
  const isShared = all.some(
    ({ definition, projection }) => definition.name !== name && projection.name === wireName,
  )
  return isShared ? marked(wireName, name, Math.min(64, wireName.length + 8)) : wireName
}
