import type { RunBudget } from '../execution/run-budget.ts'
import type { RunTools, StepTools } from '../execution/run-tools.ts'
import { errorToData } from '../tool/error-data.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import type { StepContext } from '../tool/step-context.ts'
import { type MaybePromise, whenDone } from '../tool/when-done.ts'
import { type ListedTool, relist } from '../toolset/listed-tool.ts'
import type { SourceNote } from '../toolset/tool-source.ts'
import { calledIn, saidIn } from './conversation.ts'
import type { RunSetup } from './run-setup.ts'
import { catalogOf, type Known, type StepCatalog } from './step-catalog.ts'
import type { OpenRun, PickedTool, Picks, ToolPicker, ToolSearch } from './tool-picker.ts'

/** So many tools are offered at most where nothing could be chosen: providers take no more. */
const maxUnpicked = 128

/** The tools of a run, of which each step offers those that were picked for it, and what joined them since. */
export function pickTools(tools: RunTools, setup: RunSetup): RunTools {
  const picking = new Picking(tools, setup)
  return {
    forStep: (context, budget) => picking.forStep(context, budget),
    close: async () => {
      picking.end()
      await tools.close?.()
    },
  }
}

/** What a step offers; it stays as long as nothing joins it and the step's list is the same. */
interface View extends Pick<StepTools, 'offered' | 'tools'> {
  readonly whole: readonly ListedTool[]
  readonly count: number
}

class Picking {
  readonly #tools: RunTools
  readonly #setup: RunSetup
  /** By their name; it is the record's list too. */
  readonly #names: Set<string>
  readonly #joined = new Map<ToolSearch, () => void>()
  /** The search tools with the description that they have for the whole run. */
  readonly #described = new Map<ListedTool, ListedTool>()
  #known: readonly Known[] = []
  #catalog: StepCatalog | undefined
  #view: View | undefined
  #failures: string[] = []

  constructor(tools: RunTools, setup: RunSetup) {
    this.#tools = tools
    this.#setup = setup
    this.#names = new Set(setup.record.picked?.map(({ name }) => name))
  }

  forStep(context: StepContext, budget: RunBudget): MaybePromise<StepTools> {
    return whenDone(this.#tools.forStep(context, budget), (step) =>
      step.offered === this.#view?.whole ? this.#narrowed(step) : this.#look(step),
    )
  }

  end(): void {
    for (const end of this.#joined.values()) end()
  }

  async #look(step: StepTools): Promise<StepTools> {
    const { pickers, record } = this.#setup
    this.#known = await Promise.all(pickers.map((picker, index) => this.#knownBy(picker, index, step)))
    const catalog = catalogOf(step, this.#known)
    this.#catalog = catalog
    if (record.picked === undefined) await this.#pick(catalog)
    else for (const name of catalog.always) this.#add({ name, why: 'always' })
    return this.#narrowed(step)
  }

  async #knownBy(picker: ToolPicker, index: number, { tools }: StepTools): Promise<Known> {
    try {
      return await picker.known()
    } catch (error) {
      this.#failed(error)
      return this.#known[index] ?? new Map(Array.from(tools.keys(), (name) => [name, true]))
    }
  }

  /** Chooses for what the person said. What is offered for other reasons stands first: it changes least. */
  async #pick({ always, held, heldNames, searches }: StepCatalog): Promise<void> {
    const { pickers, record, toolRetriever } = this.#setup
    const said = saidIn(record.messages)
    const picks = await Promise.all(
      pickers.map((picker) => this.#ask(picker, picker === toolRetriever ? said : [], held)),
    )
    const chosen = picks.flatMap(({ tools }) => tools).filter(({ name }) => heldNames.has(name))
    const used = calledIn(record).filter((name) => heldNames.has(name))
    const all = new Set([...used, ...chosen.map(({ name }) => name)])
    record.picked = []
    for (const name of always) this.#add({ name, why: 'always' })
    for (const [name, search] of searches) this.#show(name, search, all)
    for (const tool of chosen) if (tool.why === 'always') this.#add(tool)
    for (const name of used) this.#add({ name, why: 'used' })
    for (const tool of chosen) this.#add(tool)
  }

  async #ask(picker: ToolPicker, said: readonly string[], among: readonly ListedTool[]): Promise<Picks> {
    try {
      const picks = await picker.pick(said, among)
      if (picks.failure !== undefined) this.#failures.push(picks.failure)
      return picks
    } catch (error) {
      this.#failed(error)
      const some = said.length === 0 ? [] : among.slice(0, maxUnpicked)
      return { tools: some.map(({ definition }) => ({ name: definition.name, why: 'all' })) }
    }
  }

  #failed(error: unknown): void {
    // What an app wrote wrong is no failure to go on after.
    if (error instanceof ToolRegistrationError) throw error
    this.#failures.push(errorToData(error).message)
  }

  /** Offers a search tool, and has it reach the run, when there is something to find that is not offered already. */
  #show(name: string, search: ToolSearch, offered: ReadonlySet<string>): void {
    const finds =
      this.#names.has(name) || this.#heldOf(search).some(({ definition: tool }) => !offered.has(tool.name))
    if (!finds) return
    if (!this.#joined.has(search)) {
      this.#joined.set(search, search.join(this.#setup.record.runId, this.#openRun(search)))
    }
    this.#add({ name, why: 'always' })
  }

  #add(tool: PickedTool): void {
    if (this.#names.has(tool.name)) return
    this.#names.add(tool.name)
    this.#setup.record.picked?.push(tool)
  }

  /** What a search tool may find. */
  #heldOf({ picker }: ToolSearch): readonly ListedTool[] {
    const { pickers } = this.#setup
    const { held } = this.#catalog as StepCatalog
    if (pickers.length === 1) return held
    const known = this.#known[pickers.indexOf(picker)]
    return held.filter(({ definition }) => known?.get(definition.name))
  }

  #openRun(search: ToolSearch): OpenRun {
    const among = () => this.#heldOf(search)
    return {
      get among() {
        return among()
      },
      isOffered: (name) => this.#names.has(name),
      offer: (found) => {
        for (const tool of found) {
          if (this.#catalog?.heldNames.has(tool.name)) this.#add({ ...tool, why: 'found' })
        }
      },
    }
  }

  #narrowed(step: StepTools): StepTools {
    const catalog = this.#catalog as StepCatalog
    for (const [name, search] of catalog.searches) this.#show(name, search, this.#names)
    const { offered, tools } = this.#viewOf(step, catalog)
    const notes = this.#failures.splice(0).map((message): SourceNote => ({ kind: 'picker-failed', message }))
    return {
      ...step,
      ...{ offered, tools },
      notes: notes.length === 0 ? step.notes : [...step.notes, ...notes],
      heldBack: (name) => this.#heldBack(name, tools),
    }
  }

  #viewOf({ offered: whole }: StepTools, { byName, searches, refused }: StepCatalog): View {
    const last = this.#view
    if (last !== undefined && last.whole === whole && last.count === this.#names.size) return last
    const describe = new Map(searches)
    const offered = [...this.#names].flatMap((name) => {
      const tool = byName.get(name)
      const search = describe.get(name)
      if (tool === undefined) return []
      return search === undefined ? tool : this.#describe(tool, search)
    })
    const tools = new Map([...refused, ...offered].map((tool) => [tool.definition.name, tool]))
    this.#view = { whole, count: this.#names.size, offered, tools }
    return this.#view
  }

  /** A search tool with what can be found. It stays what it was at first: what a provider keeps of a prompt does, too. */
  #describe(tool: ListedTool, search: ToolSearch): ListedTool {
    const known =
      this.#described.get(tool) ??
      relist(tool, { ...tool.definition, description: search.describe(this.#heldOf(search)) })
    this.#described.set(tool, known)
    return known
  }

  /** @param offered - What the step offers: what joined the run since is offered in the next one. */
  #heldBack(name: string, offered: StepTools['tools']): string | undefined {
    const { heldNames, searches } = this.#catalog as StepCatalog
    if (!heldNames.has(name) || offered.has(name)) return undefined
    const [search] = searches.find(([shown]) => this.#names.has(shown)) ?? []
    const comes = search === undefined || this.#names.has(name)
    if (comes) this.#add({ name, why: 'named' })
    return this.#setup.texts.notLoaded(name, comes ? undefined : search)
  }
}
