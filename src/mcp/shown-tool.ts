import { ToolError, ToolRegistrationError } from '../tool/errors.ts'
import { isRecord } from '../tool/value-kinds.ts'
import type { ServerTool } from './definitions/server-tool.ts'
import type { MCPTool } from './mcp-tool.ts'

/** A tool as a person was shown it. An {@link MCPTool} is one; so are these two of it, wherever they were kept. */
export type ShownTool = Pick<MCPTool, 'originalName' | 'serverFingerprint'>

/**
 * The tools that a person was shown, as the server offers them now.
 *
 * @param label - How messages call the server.
 * @throws {@link ToolRegistrationError} for what is no list of tools; {@link ToolError} when one of them is gone or has
 * become another one.
 */
export function offeredAsShown(
  shown: readonly ShownTool[],
  offered: readonly ServerTool[],
  label: string,
): readonly ServerTool[] {
  if (!Array.isArray(shown) || !shown.every(isShown)) {
    throw new ToolRegistrationError(
      `${label}, acceptTools(): expected the tools that the person was shown, as client.tools had them then.`,
    )
  }
  const byName = new Map(offered.map((tool) => [tool.originalName, tool]))
  const found = shown.map(({ originalName, serverFingerprint }) => {
    const tool = byName.get(originalName)
    return tool?.fingerprint === serverFingerprint ? tool : undefined
  })
  const other = shown.filter((_tool, index) => found[index] === undefined)
  if (other.length > 0) {
    throw notAccepted(
      label,
      other,
      'the server has changed or removed since. Show client.tools as they are now',
    )
  }
  return found.filter((tool) => tool !== undefined)
}

/** Why no tool was accepted. */
export function notAccepted(
  label: string,
  tools: readonly Pick<ShownTool, 'originalName'>[],
  what: string,
): ToolError {
  const names = tools.map(({ originalName }) => JSON.stringify(originalName)).join(', ')
  return new ToolError(
    `${label}, acceptTools(): nothing was accepted. The person was shown ${names}, which ${what}.`,
    {
      code: 'fingerprint-mismatch',
    },
  )
}

function isShown(value: unknown): value is ShownTool {
  return (
    isRecord(value) && [value.originalName, value.serverFingerprint].every((text) => typeof text === 'string')
  )
}
