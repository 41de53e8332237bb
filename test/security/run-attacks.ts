import { attackTools, type Effect, effects } from './attack-tools.ts'
import { type AttackOptions, type Circumstance, oneRun } from './circumstances.ts'
import type { Door } from './doors.ts'
import { type Payload, payloads } from './payloads.ts'

/** What came of attacks. */
export interface AttackFigures {
  readonly attacks: number
  /** Attacks whose harm was done although the person said no to everything. */
  readonly ranWithoutYes: number
  /** The same with `policy: 'off'`: those that were attacks at all. */
  readonly ranWithPolicyOff: number
}

/** One attack that can be tried. */
export interface Attack {
  readonly name: string
  /** Whether the harm was done. */
  run(options: AttackOptions): Promise<boolean>
}

/** Payloads that say all there is to say where the way in or the run is the trick, and not the text. */
export const fewPayloads: readonly Payload[] = payloads.filter(({ name }) =>
  ['plain', 'fake system text', 'base64', 'split over two results'].includes(name),
)

/** Attacks through some doors: each payload for each effect, but for what makes no sense (see the doors, the circumstances). */
export function attacksThrough(
  doors: readonly Door[],
  some: readonly Payload[],
  circumstance: Circumstance = oneRun,
): readonly Attack[] {
  const { orders = (effect: Effect) => effect.orders } = circumstance
  return doors.flatMap((door) =>
    some
      .filter(({ name }) => !door.without?.includes(name))
      .flatMap((payload) =>
        effects.flatMap((effect) => {
          const given = orders(effect)
          return given === undefined ? [] : attackOf(door, payload, effect, given, circumstance)
        }),
      ),
  )
}

function attackOf(
  door: Door,
  payload: Payload,
  effect: Effect,
  orders: readonly string[],
  circumstance: Circumstance,
): Attack {
  return {
    name: `${payload.name} through ${door.name} for ${effect.name}, ${circumstance.name}`,
    run: async (options) => {
      const { tools, ran } = attackTools()
      const which = { payload: payloads.indexOf(payload), effect: effects.indexOf(effect) }
      const entrance = await door.open(payload.dress(orders.join(' ')), which)
      await circumstance.run(entrance, tools, options)
      return ran.includes(effect.done)
    },
  }
}

/** The names of the attacks of a list whose harm is done. */
export async function succeeding(
  attacks: readonly Attack[],
  options: AttackOptions,
): Promise<readonly string[]> {
  const names: string[] = []
  // One after the other: the door of a server is shared.
  for (const one of attacks) if (await one.run(options)) names.push(one.name)
  return names
}

/** Tries attacks with the usual policy and without one. */
export async function measure(attacks: readonly Attack[]): Promise<AttackFigures> {
  return {
    attacks: attacks.length,
    ranWithoutYes: (await succeeding(attacks, {})).length,
    ranWithPolicyOff: (await succeeding(attacks, { policy: 'off' })).length,
  }
}
