import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { listen } from '../../support/worker/say.ts'
import { engine } from '../engine.ts'
import type { Ending, Place, TabOptions } from './tab.ts'
import { Tab } from './tab.ts'

type Happening = 'abort' | 'timeout' | 'tab reload' | 'second tab' | 'tool replaced' | 'permission revoked'

/** What becomes of a run, of its call, and of an answer that comes once more. */
interface Cell {
  /** Why the two cannot meet. What is stated then is what happens instead. */
  readonly impossible?: string
  /** What comes of the call. */
  readonly outcome: string
  /** How the run ended; in order, when it was left and taken up again. */
  readonly status: string
  /** How often the tool ran. */
  readonly ran: number
  /** How often a person was asked; each pause counts. */
  readonly asked: number
  /** What an answer to the same call gives after that; of another tab, what it gives while the first one runs. */
  readonly second: string
}

const table: Readonly<Record<Place, Readonly<Record<Happening, Cell>>>> = {
  preflight: {
    abort: { outcome: 'cancelled', status: 'aborted', ran: 0, asked: 0, second: 'finished' },
    // Of the check, which has 3 seconds.
    timeout: { outcome: 'timeout', status: 'done', ran: 0, asked: 0, second: 'finished' },
    // Nothing had happened: the model is asked again, and its new call is asked about.
    'tab reload': {
      outcome: 'success',
      status: 'interrupted, done',
      ran: 1,
      asked: 1,
      second: 'unknown-call',
    },
    'second tab': { outcome: 'success', status: 'done', ran: 1, asked: 1, second: 'in-use' },
    // The yes was for the tool that was there when the call was checked.
    'tool replaced': { outcome: 'denied', status: 'done', ran: 0, asked: 1, second: 'finished' },
    // The grant is looked for after the check.
    'permission revoked': { outcome: 'success', status: 'done', ran: 1, asked: 1, second: 'finished' },
  },
  dialog: {
    abort: { outcome: 'cancelled', status: 'aborted', ran: 0, asked: 1, second: 'finished' },
    // Of the run: no deadline of a call counts while a person is asked.
    timeout: { outcome: 'cancelled', status: 'stopped', ran: 0, asked: 1, second: 'finished' },
    'tab reload': { outcome: 'success', status: 'interrupted, done', ran: 1, asked: 1, second: 'finished' },
    'second tab': { outcome: 'success', status: 'done', ran: 1, asked: 1, second: 'in-use' },
    'tool replaced': { outcome: 'denied', status: 'done', ran: 0, asked: 1, second: 'finished' },
    'permission revoked': {
      impossible: 'who is asked has no grant, and the permissions of an agent do not change; the yes counts',
      ...{ outcome: 'success', status: 'done', ran: 1, asked: 1, second: 'finished' },
    },
  },
  executing: {
    abort: { outcome: 'cancelled', status: 'aborted', ran: 1, asked: 1, second: 'finished' },
    timeout: { outcome: 'timeout', status: 'done', ran: 1, asked: 1, second: 'finished' },
    'tab reload': {
      ...{
        outcome: 'interrupted',
        status: 'interrupted, done',
        ran: 1,
        asked: 1,
        second: 'already answered',
      },
    },
    'second tab': { outcome: 'success', status: 'done', ran: 1, asked: 1, second: 'in-use' },
    // What has started ends as what it was.
    'tool replaced': { outcome: 'success', status: 'done', ran: 1, asked: 1, second: 'finished' },
    'permission revoked': { outcome: 'success', status: 'done', ran: 1, asked: 0, second: 'finished' },
  },
  'between steps': {
    abort: { outcome: 'success', status: 'aborted', ran: 1, asked: 1, second: 'finished' },
    // Of the run, while the model is silent.
    timeout: { outcome: 'success', status: 'stopped', ran: 1, asked: 1, second: 'finished' },
    'tab reload': {
      outcome: 'success',
      status: 'interrupted, done',
      ran: 1,
      asked: 1,
      second: 'unknown-call',
    },
    'second tab': { outcome: 'success', status: 'done', ran: 1, asked: 1, second: 'in-use' },
    // The model was offered the old tool; what was remembered of that does not let the new one run.
    'tool replaced': { outcome: 'denied', status: 'done', ran: 1, asked: 1, second: 'finished' },
    'permission revoked': { outcome: 'success', status: 'done', ran: 2, asked: 1, second: 'finished' },
  },
  paused: {
    abort: {
      impossible:
        'a paused run does nothing that could be aborted; it can still be answered, without that signal',
      ...{ outcome: 'success', status: 'paused, done', ran: 1, asked: 1, second: 'finished' },
    },
    timeout: {
      impossible: 'no clock runs while a run is paused, however long; each resume has a deadline of its own',
      ...{ outcome: 'success', status: 'paused, done', ran: 1, asked: 1, second: 'finished' },
    },
    'tab reload': { outcome: 'success', status: 'paused, done', ran: 1, asked: 1, second: 'finished' },
    // The other tab answers first.
    'second tab': { outcome: 'success', status: 'paused, done', ran: 1, asked: 1, second: 'finished' },
    'tool replaced': {
      outcome: 'success',
      status: 'paused, paused, done',
      ran: 1,
      asked: 2,
      second: 'finished',
    },
    'permission revoked': {
      ...{ outcome: 'not-allowed', status: 'paused, done', ran: 0, asked: 1, second: 'finished' },
    },
  },
}

/** A guard against hanging on a busy machine. In milliseconds. */
const guard = { timeout: 15_000, interval: 20 }

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** One cell under way. */
class Scene {
  readonly id: string = crypto.randomUUID()
  readonly statuses: string[] = []
  #outcome: string | undefined
  #since = 0
  readonly #listener = listen()
  #tabs: Tab[] = []

  constructor() {
    onTestFinished(() => {
      this.#listener.close()
      indexedDB.deleteDatabase(`runs-${this.id}`)
      indexedDB.deleteDatabase(`grants-${this.id}`)
    })
  }

  tab(options: Omit<TabOptions, 'id'> = {}): Tab {
    const tab = new Tab({ id: this.id, ...options })
    onTestFinished(() => tab.close())
    this.#tabs.push(tab)
    return tab
  }

  /** A tab of its own: a frame, which can be closed in the middle of everything. */
  async frame(options: Omit<TabOptions, 'id'>): Promise<{ readonly tab: Tab; close(): void }> {
    const frame = document.createElement('iframe')
    // Vitest has each page load its scripts through its own runner.
    frame.srcdoc = `
      <script>__vitest_browser_runner__ = parent.__vitest_browser_runner__</script>
      <script type="module" src="${new URL('./tab.ts', import.meta.url)}"></script>`
    const loaded = new Promise((resolve) => {
      frame.onload = resolve
    })
    document.body.append(frame)
    onTestFinished(() => frame.remove())
    await loaded
    const { Tab: Inside } = frame.contentWindow as Window & { readonly Tab?: typeof Tab }
    if (Inside === undefined) throw new Error('The frame did not load its script.')
    const tab = new Inside({ id: this.id, ...options })
    this.#tabs.push(tab)
    return { tab, close: () => frame.remove() }
  }

  /** Waits until a run stands at a place. */
  async reaches(place: Place, running: Promise<Ending>): Promise<void> {
    if (place === 'paused') return void (await running)
    await vi.waitFor(() => expect(this.#listener.heard).toContain(`${this.id} at ${place}`), guard)
  }

  /** Takes down how a run ended, or went on to wait. */
  saw(ending: Ending | string): Ending {
    if (typeof ending === 'string') throw new Error(`The library refused: ${ending}`)
    this.statuses.push(ending.status)
    this.#outcome = ending.outcome
    return ending
  }

  /** What happened before is no part of the cell. */
  forget(): void {
    this.statuses.length = 0
    this.#since = this.#listener.heard.length
    this.#tabs = []
  }

  async seen(second: string): Promise<Cell> {
    // What workers say comes a moment later.
    await pause(50)
    const heard = this.#listener.heard.slice(this.#since)
    const pauses = this.statuses.filter((status) => status === 'paused').length
    return {
      outcome: this.#outcome ?? 'none',
      status: this.statuses.join(', '),
      ran: heard.filter((said) => said === `${this.id} ran`).length,
      asked: this.#tabs.reduce((sum, tab) => sum + tab.asked, pauses),
      second,
    }
  }
}

/** What a yes to the last call of the saved run gives now. */
async function answerAgain(tab: Tab): Promise<string> {
  const { state, callId } = await tab.saved()
  const answer = await tab.resume(state, [callId])
  return typeof answer === 'string' ? answer : `went on: ${answer.status}`
}

/** Says yes to whatever waits, until the run is over. */
async function sayYes(scene: Scene, tab: Tab, from: Ending): Promise<void> {
  let { status, state, waiting } = from
  while (status === 'paused' && state !== undefined) {
    ;({ status, state, waiting } = scene.saw(await tab.resume(state, waiting)))
  }
}

/** Lets it happen to a run at a place. */
const stories: Readonly<Record<Happening, (scene: Scene, place: Place) => Promise<Cell>>> = {
  abort: async (scene, place) => {
    const tab = scene.tab({ place })
    const running = tab.run()
    await scene.reaches(place, running)
    tab.abort()
    // Whoever still says yes says it too late.
    tab.goOn()
    const ended = scene.saw(await running)
    await sayYes(scene, scene.tab(), ended)
    return scene.seen(await answerAgain(tab))
  },

  timeout: async (scene, place) => {
    const limits = place === 'executing' ? { timeoutMs: 300 } : { deadlineMs: 3_000 }
    const tab = scene.tab(place === 'preflight' ? { place } : { place, ...limits })
    await tab.start()
    const started = performance.now()
    const running = tab.run()
    await scene.reaches(place, running)
    const ended = scene.saw(await running)
    tab.goOn()
    if (place === 'paused') await pause(3_100 - (performance.now() - started))
    await sayYes(scene, tab, ended)
    return scene.seen(await answerAgain(tab))
  },

  'tab reload': async (scene, place) => {
    const { tab: first, close } = await scene.frame({ place })
    await scene.reaches(place, first.run())
    close()
    const tab = scene.tab()
    const left = await vi.waitFor(async () => {
      const [run] = await tab.agent.pendingRuns()
      if (run === undefined) throw new Error('the run is not listed')
      return run
    }, guard)
    scene.statuses.push(left.status)
    const waiting = left.pending.map(({ callId }) => callId)
    if (waiting.length > 0) {
      scene.saw(await tab.resume(left.state, waiting))
      return scene.seen(await answerAgain(tab))
    }
    // Nobody is asked anything; whoever answers all the same is told so.
    const { callId } = await tab.saved()
    const answer = await tab.resume(left.state, [callId])
    if (typeof answer === 'string') {
      scene.saw(await tab.resume(left.state, []))
      return scene.seen(answer)
    }
    expect(scene.saw(answer).alreadyAnswered).toEqual([callId])
    return scene.seen('already answered')
  },

  'second tab': async (scene, place) => {
    const tab = scene.tab({ place })
    const { tab: other } = await scene.frame({ place: 'paused' })
    const running = tab.run()
    await scene.reaches(place, running)
    const { state, callId } = await tab.saved()
    const ids = state.open === undefined ? [] : [callId]
    if (place === 'paused') {
      scene.saw(await running)
      scene.saw(await other.resume(state, ids))
      return scene.seen(String(await tab.resume(state, ids)))
    }
    expect(await other.agent.pendingRuns()).toHaveLength(0)
    const second = String(await other.resume(state, ids))
    tab.goOn()
    scene.saw(await running)
    return scene.seen(second)
  },

  'tool replaced': async (scene, place) => {
    const says = { approved: true, remember: { duration: 'always', scope: 'tool' } } as const
    const tab = scene.tab({ place, says, again: place === 'between steps' })
    const running = tab.run()
    await scene.reaches(place, running)
    tab.replace()
    tab.goOn()
    await sayYes(scene, tab, scene.saw(await running))
    return scene.seen(await answerAgain(tab))
  },

  'permission revoked': async (scene, place) => {
    const hasGrant = place === 'preflight' || place === 'executing' || place === 'between steps'
    if (hasGrant) {
      const says = { approved: true, remember: { duration: 'always', scope: 'tool' } } as const
      const before = scene.tab({ says })
      await before.run()
      scene.forget()
    }
    const tab = scene.tab({ place, again: place === 'between steps' })
    const running = tab.run()
    await scene.reaches(place, running)
    await tab.grants.revokeAll()
    tab.goOn()
    const ended = scene.saw(await running)
    await sayYes(scene, scene.tab({ permissions: { deny: ['act'] } }), ended)
    return scene.seen(await answerAgain(tab))
  },
}

const places = Object.keys(table) as Place[]

// What the engines do themselves (locks, storage, workers that are ended) has tests of its own in all of them, and
// this table takes a minute: once is enough.
describe.skipIf(engine !== 'chromium').each(places)('a run that is at: %s', (place) => {
  const cells = Object.entries(table[place]) as [Happening, Cell][]
  test.each(cells)('F01 F03 F15 F16 S9 S21 P15 when this happens: %s', async (happening, cell) => {
    const { impossible: _why, ...stated } = cell
    expect(await stories[happening](new Scene(), place)).toEqual(stated)
  })
})
