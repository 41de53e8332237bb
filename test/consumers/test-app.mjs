import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { installApp, makeApp } from './app-folder.mjs'
import { visitApp } from './app-page.mjs'
import { runProcess } from './app-process.mjs'
import { startServer } from './app-server.mjs'
import { Recorder } from './recorder.mjs'
import { serveFolder } from './serve-folder.mjs'

/** @typedef {import('./app-page.mjs').PageTest} PageTest */
/** @typedef {import('./app-server.mjs').AppServer} AppServer */
/** @typedef {import('./consumer-apps.mjs').ConsumerApp} ConsumerApp */

/**
 * What all apps are tested with.
 * @typedef {object} Bench
 * @property {string} folder for the apps, absolute
 * @property {string} tarball of the packed library
 * @property {import('playwright').Browser} browser
 */

/**
 * Installs the library in an app, checks its types, and tries its development server and its build in a page.
 * Never rejects. After a step that everything else needs has failed, the rest is left out.
 * @param {ConsumerApp} app
 * @param {Bench} bench
 */
export async function testApp(app, bench) {
  const folder = join(bench.folder, app.name)
  const recorder = new Recorder(app.name, `test/consumers/apps/${app.name}/package.json`)
  const installed = await recorder.test('install: npm installs the packed library', async () => {
    makeApp(folder, app.name, app.copies)
    await installApp(folder, bench.tarball)
  })
  if (installed) {
    await recorder.test(`types: ${app.types}`, () => runProcess(folder, 'npm', ['run', '--silent', 'types']))
    const dev = () => startServer(folder, app.dev)
    await testPages('development server', dev, app.devTests, { recorder, folder, browser: bench.browser })
    const built = await recorder.test('build: it ends without an error', () =>
      runProcess(folder, 'npm', ['run', '--silent', 'build']),
    )
    const { preview, served = '' } = app
    const serve = () => (preview ? startServer(folder, preview) : serveFolder(join(folder, served)))
    if (built) await testPages('build', serve, app.buildTests, { recorder, folder, browser: bench.browser })
  }
  rmSync(folder, { recursive: true, force: true })
  return recorder.records
}

/**
 * @param {string} phase
 * @param {() => Promise<AppServer>} start
 * @param {Readonly<Record<string, PageTest>>} tests
 * @param {{ recorder: Recorder, folder: string, browser: import('playwright').Browser }} place
 */
async function testPages(phase, start, tests, { recorder, folder, browser }) {
  let server = /** @type {AppServer | undefined} */ (undefined)
  try {
    await recorder.test(`${phase}: a server starts`, async () => {
      server = await start()
    })
    if (server === undefined) return
    const { address, output } = server
    for (const [title, run] of Object.entries(tests)) {
      await recorder.test(`${phase}: ${title}`, async () => {
        await visitApp(browser, { address, folder }, run).catch((error) => {
          throw new Error(`${error.message}\nThe server wrote:\n${output()}`)
        })
      })
    }
  } finally {
    await server?.stop()
  }
}
