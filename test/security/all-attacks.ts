import { circumstances } from './circumstances.ts'
import { pageDoors, sideDoors } from './doors.ts'
import { honestPrompts } from './honest-tasks.ts'
import { type McpDoors, openMcpDoors } from './mcp-doors.ts'
import { payloads } from './payloads.ts'
import { type Attack, type AttackFigures, attacksThrough, fewPayloads, measure } from './run-attacks.ts'

/** Attacks in other circumstances: through a page, and with words that no result has brought in. */
export function otherAttacks({ words }: McpDoors, some = circumstances): readonly Attack[] {
  const doors = [...pageDoors.slice(0, 1), ...words.slice(0, 1)]
  return some.flatMap((one) => attacksThrough(doors, payloads.slice(0, 1), one))
}

/** All attacks that run in Node. */
export function allAttacks(mcp: McpDoors): readonly Attack[] {
  return [
    ...attacksThrough([...pageDoors, mcp.results], payloads),
    ...attacksThrough([...sideDoors, ...mcp.shapes, ...mcp.words], fewPayloads),
    ...otherAttacks(mcp),
  ]
}

/**
 * Tries the attacks that run in Node, and the honest tasks.
 *
 * @param every - 1 for all attacks, 5 for each fifth.
 */
export async function measureAttacks(
  every: number,
): Promise<AttackFigures & { readonly promptsPerHonestTask: number }> {
  const mcp = await openMcpDoors()
  try {
    const figures = await measure(allAttacks(mcp).filter((_, index) => index % every === 0))
    const asked = await honestPrompts()
    const promptsPerHonestTask = asked.reduce((sum, count) => sum + count, 0) / asked.length
    return { ...figures, promptsPerHonestTask }
  } finally {
    await mcp.close()
  }
}
