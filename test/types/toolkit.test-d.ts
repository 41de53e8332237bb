import { Agent, type ModelAdapter, type RunContext, Toolkit, ToolRegistry, tool } from 'offstage'
import { describe, test } from 'vitest'

declare const model: ModelAdapter

const needsUser = tool({
  name: 'a',
  description: 'A.',
  execute: (_input, context: RunContext<{ user: string }>) => context.deps.user,
})
const needsTeam = tool({
  name: 'b',
  description: 'B.',
  execute: (_input, context: RunContext<{ team: string }>) => context.deps.team,
})

describe('Toolkit', () => {
  test('needs what its tools need', () => {
    const kit = new Toolkit<{ user: string; team: string }>({ name: 'kit', tools: [needsUser, needsTeam] })
    new Agent<{ user: string; team: string }>({ model, tools: [kit] })
    new ToolRegistry().registerAll(kit)
    // @ts-expect-error team is missing
    new Agent<{ user: string }>({ model, tools: [kit] })
  })

  test('takes no unknown option', () => {
    // @ts-expect-error there is no such option
    new Toolkit({ name: 'kit', tools: [needsUser], only: ['a'] })
  })
})
