import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

/** A running `@modelcontextprotocol/server-everything`. */
export interface Everything {
  readonly url: string
  close(): Promise<void>
}

/**
 * Starts the real server of the protocol's authors. It has a tool that gives its whole environment away, so that is
 * nearly empty; and it would listen on all interfaces, so it is made to listen on loopback only.
 */
export async function startEverything(): Promise<Everything> {
  const port = await freePort()
  const preload = new URL('./loopback-only.mjs', import.meta.url).href
  const script = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/server-everything/dist/index.js',
  )
  const child = spawn(process.execPath, ['--import', preload, script, 'streamableHttp'], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env: { PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (piece) => {
      said += piece
      if (said.includes('listening')) resolve()
    })
    void exited.then(() => reject(new Error(`server-everything has ended at once: ${said}`)))
  })
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** It does not say which port it got, so that one is looked for that is free now. */
function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
