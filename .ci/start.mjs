import { join } from 'node:path'
import { installDependencies } from './dependencies.mjs'
import { root } from './processes.mjs'

try {
  await installDependencies()
  const { createServer } = await import('vite')
  const server = await createServer({ configFile: join(root, 'vite.config.ts') })
  await server.listen()
  console.log('The demo is served at:')
  server.printUrls()
  server.bindCLIShortcuts({ print: process.stdin.isTTY })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
