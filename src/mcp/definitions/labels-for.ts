import type { ToolLabels } from '../../tool/tool-definition.ts'
import type { ToolAnnotations } from './server-tool.ts'

/**
 * What a call of a server's tool does, for the gate. A hint of the server is a claim that nobody checks (MCP
 * 2025-11-25, Tools: "clients MUST consider tool annotations to be untrusted"), so it may tighten and never
 * loosen: `destructiveHint` makes the effect worse, and `readOnlyHint` does not make it better. All else is
 * what any server may do: it gets the input (egress), it may hold what is private, and its texts are not to
 * be trusted.
 *
 * `effect` is not `destructive` for tools that say nothing, although the protocol takes that for the default
 * of the hint: then the word would stand on nearly every call, and warn nobody. Both ask the same question at
 * the gate.
 */
export function labelsFor({ destructiveHint }: ToolAnnotations): ToolLabels {
  const effect = destructiveHint === true ? 'destructive' : 'external'
  return { effect, egress: true, reads: 'private', externalContent: true }
}

/**
 * Whether a call may be made again when its answer was lost. Only for that: at worst a server that lies gets
 * the same call, to which a person has said yes, twice.
 */
export function mayRunTwice({ idempotentHint, readOnlyHint }: ToolAnnotations): boolean {
  return idempotentHint === true || readOnlyHint === true
}
