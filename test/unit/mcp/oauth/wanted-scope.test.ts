import { expect, test } from 'vitest'
import { noDemands } from '../../../../src/mcp/oauth/demands.ts'
import { wantedScope } from '../../../../src/mcp/oauth/wanted-scope.ts'

const credentials = { tokens: async () => ({ scope: 'given before' }) }

test.each([
  ['what the server offers', { scopes: undefined, lacksScope: false, scope: undefined }, 'offered'],
  [
    'what it demands, rather than all that it offers',
    { scopes: undefined, lacksScope: false, scope: 'a b' },
    'a b',
  ],
  [
    'the scopes of the app, rather than what is offered',
    { scopes: ['own'], lacksScope: false, scope: undefined },
    'own',
  ],
  [
    'what is demanded and the scopes of the app, each once',
    { scopes: ['a', 'own'], lacksScope: false, scope: 'a' },
    'a own',
  ],
  [
    'what was given before too, when more is demanded',
    { scopes: undefined, lacksScope: true, scope: 'more' },
    'more given before',
  ],
])('a person is asked for %s', async (_what, { scopes, ...demands }, wanted) => {
  const facts = { scopes, credentials, demands: { ...noDemands(), ...demands } }
  expect(await wantedScope('offered', facts)).toBe(wanted)
})
