import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { StdioServer } from './bridge/stdio-server.ts'
import type { CompanionOptions } from './companion-options.ts'

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isRecord: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isTextList: Check = (value) => Array.isArray(value) && value.every(isText)
const isTextRecord: Check = (value) => isRecord(value) && Object.values(Object(value)).every(isText)
const isServer: Check = (value) => {
  const { command, args, env, cwd, ...others } = Object(value) as Partial<Record<keyof StdioServer, unknown>>
  const isWhole =
    isText(command) && (args === undefined || isTextList(args)) && Object.keys(others).length === 0
  return (
    isRecord(value) &&
    isWhole &&
    (env === undefined || isTextRecord(env)) &&
    (cwd === undefined || isText(cwd))
  )
}

const fields: Readonly<Record<string, readonly [Check, string]>> = {
  allow: [isTextList, 'a list of programs'],
  roots: [isTextList, 'a list of folders'],
  origins: [isTextList, 'a list of origins'],
  port: [(value) => typeof value === 'number', 'a number'],
  env: [isTextRecord, 'an object of strings'],
  commands: [
    (value) =>
      Array.isArray(value) && value.every((item) => isTextList((Object(item) as { argv?: unknown }).argv)),
    'a list of { "argv": ["npm", "test"] }',
  ],
  mcp: [
    (value) => isRecord(value) && Object.values(Object(value)).every(isServer),
    'an object of { "command", "args", "env", "cwd" }, by name',
  ],
}

/**
 * Reads the file of the option `--config`. Folders in it are meant from where the file is.
 *
 * @throws Error that names the file and what is wrong in it, and repeats no value: some may be secret.
 */
export function readConfigFile(path: string): CompanionOptions {
  let read: unknown
  try {
    read = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    const isMissing = (cause as { code?: unknown }).code !== undefined
    throw new Error(`The file ${path} ${isMissing ? 'cannot be read' : 'is not JSON'}.`, { cause })
  }
  if (!isRecord(read)) throw new Error(`The file ${path} must hold one JSON object.`)
  const config = read as Readonly<Record<string, unknown>>
  for (const [name, value] of Object.entries(config)) {
    const [check, expected] = fields[name] ?? []
    if (check === undefined) {
      throw new Error(
        `The file ${path}: there is no "${name}". There are: ${Object.keys(fields).join(', ')}.`,
      )
    }
    if (!check(value)) throw new Error(`The file ${path}: "${name}" must be ${expected}.`)
  }
  return fromFolder(config as CompanionOptions, dirname(resolve(path)))
}

function fromFolder({ roots, mcp = {}, ...rest }: CompanionOptions, folder: string): CompanionOptions {
  const servers = Object.entries(mcp).map(
    ([name, server]) => [name, { ...server, cwd: resolve(folder, server.cwd ?? '.') }] as const,
  )
  return {
    ...rest,
    mcp: Object.fromEntries(servers),
    ...(roots === undefined ? {} : { roots: roots.map((root) => resolve(folder, root)) }),
  }
}
