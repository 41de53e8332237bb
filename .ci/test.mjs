import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { browserParts, missingEngines } from './browser-parts.mjs'
import { installDependencies } from './dependencies.mjs'
import { CHROMIUM, FIREFOX, WEBKIT } from './engines.mjs'
import { checkTypes, lint, RESULTS, runVitest } from './parts.mjs'
import { root } from './processes.mjs'
import { provideEngines } from './provide-engines.mjs'
import { failedTest } from './reports.mjs'
import { closeRun, runParts } from './run-parts.mjs'
import { installPackages, onSearchPath } from './system-packages.mjs'

/** `npm test`: everything but what is too slow for every run (`npm run test:long`). */

const results = join(root, RESULTS)
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

const { tests, problems } = await runEverything()
closeRun('tests.json', tests, problems)

async function runEverything() {
  try {
    await installDependencies()
  } catch (error) {
    return {
      tests: [failedTest('setup: the packages are installed', 'package.json')],
      problems: [error instanceof Error ? error.message : String(error)],
    }
  }
  // The companion's commands are tried with the real one.
  if (onSearchPath(['git']).length === 0) await installPackages([['git']])
  const engines = await provideEngines([CHROMIUM, FIREFOX, WEBKIT])
  const problems = missingEngines(engines)
  for (const problem of problems) console.error(`\n${problem}\n\nThe other parts run all the same.`)
  const tests = await runParts([
    ['types', checkTypes],
    ['lint', lint],
    ['architecture', () => runVitest('architecture')],
    ['type tests', () => runVitest('types')],
    ...browserParts(engines, [['unit', () => runVitest('unit')]]),
  ])
  return { tests, problems }
}
