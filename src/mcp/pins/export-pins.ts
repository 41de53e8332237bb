import { digest } from '../../tool/fingerprint.ts'
import { isRecord } from '../../tool/value-kinds.ts'
import { definitionTextsEn } from '../definitions/definition-texts.ts'
import { definitionLimits, exceeds } from '../definitions/json-limits.ts'
import type { PinStore } from './pin-store.ts'
import {
  isPinnedUrl,
  type PinnedServer,
  readPin,
  type ServerPins,
  type StoredPins,
  storePins,
  type ToolPin,
} from './server-pins.ts'

/** Pins as they are exported: plain JSON. */
export interface PinsFile {
  readonly format: typeof format
  readonly version: 1
  readonly servers: readonly StoredPins[]
}

const format = 'offstage-mcp-pins'
const how = 'Import what exportPins() gave, unchanged.'

/** What an import changed. */
export interface PinImport {
  readonly added: number
  readonly unchanged: number
  /** Tools that were pinned as something else before. */
  readonly replaced: readonly { readonly server: PinnedServer; readonly tool: string }[]
}

/** All pins of a store, as plain JSON: for a file, or for another browser. They hold no secrets. */
export async function exportPins(store: PinStore): Promise<PinsFile> {
  return { format, version: 1, servers: (await store.all()).map(storePins) }
}

/**
 * Pins what was exported, beside what is there; for the same tool, the imported pin holds. Who can choose the
 * file decides what is trusted.
 *
 * @param file - What `exportPins` gave, or its JSON text.
 * @throws TypeError that names the place, for what is no such file, or was changed by hand. Then nothing is imported.
 */
export async function importPins(store: PinStore, file: unknown): Promise<PinImport> {
  const servers = await readFile(typeof file === 'string' ? parse(file) : file)
  let [added, unchanged] = [0, 0]
  const replaced: { server: PinnedServer; tool: string }[] = []
  for (const { tools, ...server } of servers) {
    let old: ReadonlyMap<string, ToolPin> = new Map()
    await store.update(server, (pins) => {
      old = pins.tools
      return { ...pins, tools: new Map([...pins.tools, ...tools]) }
    })
    for (const [tool, { fingerprint }] of tools) {
      const before = old.get(tool)
      if (before === undefined) added += 1
      else if (before.fingerprint === fingerprint) unchanged += 1
      else replaced.push({ server, tool })
    }
  }
  return { added, unchanged, replaced }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new TypeError(`These pins are no JSON. ${how}`)
  }
}

async function readFile(file: unknown): Promise<readonly ServerPins[]> {
  if (!isRecord(file) || file.format !== format || file.version !== 1) {
    throw new TypeError(`This is no file of pins: expected format "${format}" and version 1. ${how}`)
  }
  const { servers } = file
  if (!Array.isArray(servers)) throw wrong('servers', 'expected a list')
  return Promise.all(servers.map((server: unknown, index) => readServer(server, `servers.${index}`)))
}

async function readServer(server: unknown, path: string): Promise<ServerPins> {
  if (!isRecord(server)) throw wrong(path, 'expected an object')
  const { namespace, url, tools } = server
  if (typeof namespace !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(namespace)) {
    throw wrong(`${path}.namespace`, 'expected 1 to 64 letters, digits, "_" or "-"')
  }
  if (typeof url !== 'string' || !isPinnedUrl(url)) {
    throw wrong(`${path}.url`, 'expected an address without user, fragment, and query but a hash')
  }
  if (!Array.isArray(tools)) throw wrong(`${path}.tools`, 'expected a list')
  const entries = tools.map((tool: unknown, index) => readTool(tool, `${path}.tools.${index}`))
  return { namespace, url, tools: new Map(await Promise.all(entries)) }
}

async function readTool(tool: unknown, path: string): Promise<readonly [string, ToolPin]> {
  const excess = exceeds(tool, definitionLimits)
  if (excess !== undefined) throw wrong(path, `it ${definitionTextsEn.excess(excess)}`)
  const copy: unknown = JSON.parse(JSON.stringify(tool) ?? 'null')
  const pin = readPin(copy)
  if (typeof pin === 'string') throw wrong(path, pin)
  if (pin.fingerprint !== (await digest(pin.raw)))
    throw wrong(path, 'the fingerprint is not that of its definition')
  return [(copy as { readonly name: string }).name, pin]
}

function wrong(path: string, reason: string): TypeError {
  return new TypeError(`The pins are wrong at "${path}": ${reason}. Nothing is imported. ${how}`)
}
