import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { killGroup, ownGroup } from '../process-group.ts'
import { outputCleaner } from './clean-output.ts'

/** A process to run. */
export interface ProcessOrder {
  readonly program: string
  /** The first word is what the program is called by. */
  readonly argv: readonly string[]
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly maxOutputChars: number
  readonly signal: AbortSignal
  readonly onOutput?: ((text: string) => void) | undefined
}

/** How a process ended. */
export interface ProcessEnd {
  readonly output: string
  readonly complaints: string
  readonly exitCode: number | null
  readonly signal: string | null
  /** Why it was stopped, or did not start; absent if it ended by itself. */
  readonly stopped?: 'time' | 'output' | 'abort' | { readonly reason: string }
}

/** How long output is still read once a process has ended, in milliseconds. */
const LAST_WORDS_MS = 500

/** The most bytes of a character in UTF-8. */
const MOST_BYTES = 4

/**
 * Runs a program in a process group of its own, without input. At the deadline, at too much output and at an abort the
 * whole group is killed; and what a process leaves running when it ends is killed as well. A program that moves itself
 * to another group is out of reach: none with built-in rules does. Never rejects.
 */
export function runProcess(order: ProcessOrder): Promise<ProcessEnd> {
  const child = start(order)
  if ('reason' in child) {
    return Promise.resolve({ output: '', complaints: '', exitCode: null, signal: null, stopped: child })
  }
  return new Promise((settle) => {
    let stopped: ProcessEnd['stopped']
    const stop = (why: ProcessEnd['stopped']): void => {
      stopped ??= why
      killGroup(child)
    }
    const read = readOutput(child, order, () => stop('output'))
    const deadline = setTimeout(() => stop('time'), order.timeoutMs)
    const onAbort = (): void => stop('abort')
    order.signal.addEventListener('abort', onAbort)
    let ended: { exitCode: number | null; signal: string | null } = { exitCode: null, signal: null }
    const finish = (): void => {
      clearTimeout(deadline)
      order.signal.removeEventListener('abort', onAbort)
      settle({ ...read(), ...ended, ...(stopped && { stopped }) })
    }
    child.on('error', ({ message }) => {
      stop({ reason: message })
      finish()
    })
    child.on('exit', (exitCode, signal) => {
      ended = { exitCode, signal }
      // What left the group may hold the pipes open for ever.
      const giveUp = setTimeout(() => closePipes(child), LAST_WORDS_MS)
      child.on('close', () => clearTimeout(giveUp))
    })
    child.on('close', finish)
    if (order.signal.aborted) onAbort()
  })
}

type Child = ChildProcessByStdio<null, Readable, Readable>

function start({ program, argv, folder, environment }: ProcessOrder): Child | { reason: string } {
  try {
    const child = spawn(program, argv.slice(1), {
      argv0: argv[0],
      cwd: folder,
      env: environment as NodeJS.ProcessEnv,
      shell: false,
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    ownGroup(child)
    return child
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

function closePipes(child: Child): void {
  child.stdout.destroy()
  child.stderr.destroy()
}

/** Reads both pipes, decoded, cleaned and counted as they come; returns the way to what was read. */
function readOutput(
  child: Child,
  order: ProcessOrder,
  onTooMuch: () => void,
): () => { output: string; complaints: string } {
  let left = order.maxOutputChars
  let bytesLeft = order.maxOutputChars * MOST_BYTES
  const readPipe = (pipe: Readable): (() => string) => {
    const decoder = new TextDecoder()
    const cleaner = outputCleaner()
    let text = ''
    const take = (piece: string): void => {
      const kept = cutTo(cleaner.clean(piece), left)
      left -= kept.length
      text += kept.text
      if (kept.text !== '') order.onOutput?.(kept.text)
      if (left < 0) onTooMuch()
    }
    pipe.on('data', (chunk: Buffer) => {
      if (left < 0 || bytesLeft < 0) return
      bytesLeft -= chunk.length
      take(decoder.decode(chunk.subarray(0, Math.max(0, bytesLeft + chunk.length)), { stream: true }))
      if (bytesLeft < 0) onTooMuch()
    })
    pipe.on('end', () => take(decoder.decode()))
    return () => text
  }
  const output = readPipe(child.stdout)
  const complaints = readPipe(child.stderr)
  return () => ({ output: output(), complaints: complaints() })
}

/** The start of a text, not in the middle of a character; and its whole length, which may be more. */
function cutTo(text: string, limit: number): { text: string; length: number } {
  if (limit < 0) return { text: '', length: 0 }
  if (text.length <= limit) return { text, length: text.length }
  const kept = text.slice(0, limit)
  return { text: /[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept, length: text.length }
}
