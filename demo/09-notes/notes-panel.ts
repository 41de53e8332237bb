import type { NoteEntry, NoteStore } from 'offstage/tools'
import { button, element, workButton } from '../shared/element.ts'
import { emptyState, row, statusLine } from '../shared/panel.ts'

/** The notes as the person sees them: the same as the agent's, read through the app's own API. */
export function notesPanel(store: NoteStore, leaving: AbortSignal): HTMLElement {
  const warning = element('div', { class: 'trouble', role: 'alert' })
  const list = element('ul', { class: 'notes-list' })
  const reader = element('pre', {
    ...{ class: 'command notes-text', tabindex: '0', role: 'group', 'aria-label': 'The note', hidden: true },
  })
  const empty = emptyState('There are no notes yet. Have the agent keep one.')
  const status = statusLine('')
  let open: string | undefined
  const draw = async () => {
    const entries = await store.list()
    if (leaving.aborted) return
    empty.hidden = entries.length > 0
    if (!entries.some(({ path }) => path === open)) open = entries[0]?.path
    const focused = list.contains(document.activeElement) ? open : undefined
    list.replaceChildren(...entries.map((entry) => noteItem(entry, entry.path === open, show)))
    if (focused !== undefined) list.querySelector<HTMLElement>('[aria-current]')?.focus()
    const text = open === undefined ? undefined : (await store.read(open))?.text
    reader.hidden = text === undefined
    reader.textContent = text ?? ''
  }
  const show = (path: string) => {
    open = path
    update()
  }
  const update = () => {
    draw().catch((error: unknown) => say(warning, error))
  }
  leaving.addEventListener('abort', store.subscribe(update))
  const tier = element('p', { class: 'hint' })
  store.storage().then(
    (storage) => {
      tier.textContent = `The page keeps them in: ${storage.tier}.`
      if (storage.warning !== undefined) say(warning, storage.warning)
    },
    (error: unknown) => say(warning, error),
  )
  update()
  return element('div', { class: 'notes' }, warning, empty, list, reader, tools(store, status), status, tier)
}

function noteItem({ path, size }: NoteEntry, isOpen: boolean, show: (path: string) => void): HTMLElement {
  const choose = button(path, () => show(path), { 'aria-current': isOpen && 'true' })
  return element('li', {}, choose, element('span', { class: 'hint' }, `${size} bytes`))
}

function tools(store: NoteStore, status: HTMLElement): HTMLElement {
  const chosen = element('input', { type: 'file', accept: '.zip', hidden: true, tabindex: '-1' })
  chosen.addEventListener('change', () => {
    const [archive] = chosen.files ?? []
    chosen.value = ''
    if (archive === undefined) return
    store.import(archive).then(
      ({ added, unchanged, refused }) => {
        status.textContent = `${added.length} added, ${unchanged.length} were there, ${refused.length} refused.`
      },
      (error: unknown) => say(status, error),
    )
  })
  const save = async () => {
    try {
      const { zip, notes } = await store.export()
      const address = URL.createObjectURL(zip)
      element('a', { href: address, download: 'notes.zip' }).click()
      setTimeout(() => URL.revokeObjectURL(address), 60_000)
      status.textContent = `${notes} ${notes === 1 ? 'note' : 'notes'} exported.`
    } catch (error) {
      say(status, error)
    }
  }
  return row(
    workButton('Export a zip', save),
    button('Import a zip', () => chosen.click()),
    chosen,
  )
}

function say(place: HTMLElement, error: unknown): void {
  place.replaceChildren(element('p', {}, error instanceof Error ? error.message : String(error)))
}
