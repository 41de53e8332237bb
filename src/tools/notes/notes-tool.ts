import * as v from 'valibot'
import { StorageError } from '../../storage/storage-error.ts'
import { checkOptions } from '../../tool/check-options.ts'
import { ToolRegistrationError } from '../../tool/errors.ts'
import type { RunContext } from '../../tool/run-context.ts'
import { Tool } from '../../tool/tool.ts'
import { stampOrigin } from '../../tool/tool-origin.ts'
import type { ToolResponse } from '../../tool/tool-response.ts'
import { answerRequest } from './answer-request.ts'
import { NoteError } from './note-error.ts'
import { NoteStore } from './note-store.ts'
import { type NotesInput, type NotesRequest, readRequest } from './notes-request.ts'
import { type NotesTexts, notesTextsEn } from './notes-texts.ts'
import { problemText } from './problem-text.ts'

/** What {@link NotesTool} takes. */
export interface NotesToolOptions {
  /** The folder of the notes; see `NoteStoreOptions`. Not together with `store`. @default 'agent-notes' */
  readonly root?: string
  /** The notes, for an app that has a store of its own. */
  readonly store?: NoteStore
  /**
   * Notes and folders that the tool neither reads, lists, searches nor changes. They are compared without case, so that
   * `private` protects `Private/Key.md` too.
   */
  readonly protectedPaths?: readonly string[]
  /** Sentences that replace the English ones. */
  readonly texts?: Partial<NotesTexts>
}

const isAppend = ({ action }: NotesInput): boolean => action === 'append'

/**
 * Notes that are kept in the browser: the tool `notes` with the actions `read`, `append`, `list` and `search`. It works
 * on a page and in a tool worker, and has the notes of a {@link NoteStore} with the same `root`.
 *
 * Only `append` asks the person and has an effect (`local`); nothing is ever changed or deleted. What the others give
 * is private, and content that is not to be trusted. At most 8,000 characters are read at a time (a `partial` response
 * says how to go on), 50,000 appended, and a note grows to 2,000,000 bytes. A note that does not exist is no error.
 *
 * What goes wrong is an error response; its `error.code` is that of a `NoteError` (`note-path` for all refused paths) or
 * of a `StorageError` (`quota`, `locked`). Where the browser refuses storage, notes are in memory, each answer says so,
 * and `metadata.storage` is `memory`.
 *
 * @example registry.register(new NotesTool({ root: 'my-app/notes', protectedPaths: ['private'] }))
 */
export class NotesTool extends Tool<NotesInput, unknown, 'notes', NotesInput> {
  /** The notes. */
  readonly store: NoteStore
  readonly #read: (input: NotesInput) => NotesRequest
  readonly #protectedPaths: readonly string[]
  readonly #texts: NotesTexts

  constructor(options: NotesToolOptions = {}) {
    const where = 'new NotesTool()'
    checkOptions(options, ['root', 'store', 'protectedPaths', 'texts'], where)
    const { root, store, protectedPaths = [] } = options
    if (store !== undefined && root !== undefined) {
      throw new ToolRegistrationError(`${where}: give root to the store, or leave out the store.`)
    }
    const texts = { ...notesTextsEn, ...options.texts }
    const read = (input: NotesInput): NotesRequest => {
      const request = readRequest(input, protectedPaths)
      if (!('problem' in request)) return request
      throw new NoteError(problemText(request.problem, texts), request.problem)
    }
    super({
      name: 'notes',
      description: texts.toolDescription,
      inputSchema: inputSchema(texts),
      needsApproval: isAppend,
      effect: (input) => (isAppend(input) ? 'local' : 'none'),
      reads: (input) => (isAppend(input) ? 'public' : 'private'),
      externalContent: (input) => !isAppend(input),
      // Nobody is asked about an append that could only fail.
      check: (input) => {
        read(input)
      },
    })
    this.store = store ?? new NoteStore(root === undefined ? { texts } : { root, texts })
    this.#read = read
    this.#protectedPaths = protectedPaths
    this.#texts = texts
    // A subclass is the app's own code.
    if (new.target === NotesTool) stampOrigin(this, 'builtin')
  }

  override async execute(input: NotesInput, { signal }: RunContext): Promise<ToolResponse> {
    const request = this.#read(input)
    try {
      const { store } = this
      return await answerRequest(request, {
        store,
        signal,
        texts: this.#texts,
        protectedPaths: this.#protectedPaths,
      })
    } catch (error) {
      throw inTexts(error, this.#texts)
    }
  }
}

function inputSchema(texts: NotesTexts): v.GenericSchema<NotesInput> {
  const text = (description: string) => v.optional(v.pipe(v.string(), v.description(description)))
  return v.object({
    action: v.pipe(v.picklist(['read', 'append', 'list', 'search']), v.description(texts.actionDescription)),
    path: text(texts.pathDescription),
    content: text(texts.contentDescription),
    query: text(texts.queryDescription),
    offset: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(0), v.description(texts.offsetDescription)),
    ),
  })
}

/** An error of the notes in the words of this tool: its store may have others. By name: it may be another copy's. */
function inTexts(error: unknown, texts: NotesTexts): unknown {
  if (!(error instanceof Error)) return error
  if (error.name === 'NoteError') {
    const { problem } = error as NoteError
    return new NoteError(problemText(problem, texts), problem, { cause: error })
  }
  if (error.name !== 'StorageError') return error
  const { code } = error as StorageError
  const known: Partial<Record<typeof code, string>> = {
    quota: texts.quota,
    locked: texts.locked,
    unsupported: texts.unavailable,
  }
  const text = known[code]
  return text === undefined ? error : new StorageError(text, code, { cause: error })
}
