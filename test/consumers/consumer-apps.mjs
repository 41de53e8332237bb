import { openForTheFirstTime } from './first-visit.mjs'
import { editTenTimes } from './hot-reload.mjs'
import { jotTwice, jotWithEdits } from './jotter-story.mjs'
import { tellStory } from './notes-story.mjs'
import { fileIsRendered, pageIsRendered } from './server-render.mjs'
import { snapshotInDeps, stateAsInput, stateInDeps, stateWithoutGate } from './state-proxies.mjs'
import { surviveStrictMode } from './strict-mode.mjs'

/** @typedef {import('./app-page.mjs').PageTest} PageTest */

/**
 * An app of apps/ and what is tested in it.
 * @typedef {object} ConsumerApp
 * @property {string} name of its folder
 * @property {Readonly<Record<string, string>>} copies what it has in common with others: from apps/, into it
 * @property {string} types what the check of its types shows
 * @property {(port: number) => readonly string[]} dev starts its development server: the words after `npm run`
 * @property {(port: number) => readonly string[]} [preview] serves its build, in the same way
 * @property {string} [served] instead of `preview`: the folder that holds its build
 * @property {Readonly<Record<string, PageTest>>} devTests in order
 * @property {Readonly<Record<string, PageTest>>} buildTests in order
 */

const story = 'a worker tool is called, a dialog is confirmed, the answer is made of both results'
const firstVisit =
  'G01: app with the library in node_modules, default Vite config, `vite dev`: the worker opens at the first visit'
const strictMode =
  'L01: <StrictMode>; hook makes runtime in a ref, closes it in clean-up: it is open after mount, one set of workers is alive, calls work'
const pageToolEdited =
  'L10: edit the tool file 10 times in vite dev; module registers a tool at top level: the newest code answers, no duplicate name, no worker left behind'
const workerToolEdited =
  'L10: edit a tool file of the worker 10 times in vite dev: the newest code answers, no worker left behind'
const jotter =
  'L03: a component registers a tool and the model calls it twice in one turn: each call sees what the one before has set, and the session shows it all'
const jotterEdited =
  'L10: edit a component with a tool and a session in vite dev: the newest code answers, state and conversation are kept'
const rendered = 'L06: server render: the page is written without a worker, a window or a self'

/** @param {string} script */
const viteServer = (script) => (/** @type {number} */ port) => [
  script,
  '--host',
  '127.0.0.1',
  '--port',
  String(port),
  '--strictPort',
]

/** @type {ConsumerApp} */
const react = {
  name: 'react',
  copies: { shared: 'src/notes' },
  types: 'types check with TypeScript 7 and skipLibCheck: false',
  dev: viteServer('dev'),
  preview: viteServer('preview'),
  devTests: {
    [firstVisit]: openForTheFirstTime,
    [story]: tellStory,
    [strictMode]: surviveStrictMode,
    [jotter]: jotTwice,
    [jotterEdited]: jotWithEdits('src/Jotter.tsx'),
    [pageToolEdited]: editTenTimes('src/notes/publish-note.ts', 'is published'),
    [workerToolEdited]: editTenTimes('src/notes/count-words.ts', '.length} words'),
  },
  buildTests: { [story]: tellStory, [jotter]: jotTwice },
}

/** @type {ConsumerApp} */
const svelte = {
  name: 'svelte',
  copies: { shared: 'src/notes' },
  types: 'types check with svelte-check and TypeScript 6',
  dev: viteServer('dev'),
  preview: viteServer('preview'),
  devTests: {
    [firstVisit]: openForTheFirstTime,
    [story]: tellStory,
    [jotter]: jotTwice,
    'L08: arguments hold `$state({a:1})`: they cross as a JSON copy': stateAsInput,
    'L08: arguments of WorkerToolset.call hold `$state({a:1})`: they cross as a JSON copy': stateWithoutGate,
    'L08: context holds `$state.snapshot($state({a:1}))`: it crosses': snapshotInDeps,
    'L08: context holds `$state({a:1})`: an error names the key and suggests $state.snapshot': stateInDeps,
    [pageToolEdited]: editTenTimes('src/notes/publish-note.ts', 'is published'),
  },
  buildTests: {
    [story]: tellStory,
    [jotter]: jotTwice,
    'L08: arguments hold `$state({a:1})`: they cross as a JSON copy': stateAsInput,
  },
}

/** @type {ConsumerApp} */
const webpack = {
  name: 'webpack',
  copies: { shared: 'src/notes' },
  types: 'types check with TypeScript 5.9',
  dev: (port) => ['dev', '--host', '127.0.0.1', '--port', String(port)],
  served: 'public',
  devTests: { [story]: tellStory },
  buildTests: { [story]: tellStory },
}

/** @type {ConsumerApp} */
const sveltekit = {
  name: 'sveltekit',
  copies: {
    shared: 'src/lib/notes',
    'svelte/src/Notes.svelte': 'src/lib/Notes.svelte',
    'svelte/src/Jotter.svelte': 'src/lib/Jotter.svelte',
  },
  types: 'types check with svelte-check and TypeScript 6',
  dev: viteServer('dev'),
  preview: viteServer('preview'),
  devTests: {
    [rendered]: pageIsRendered('Notes, with SvelteKit'),
    [firstVisit]: openForTheFirstTime,
    [story]: tellStory,
    [jotter]: jotTwice,
  },
  buildTests: {
    [`${rendered}, into a file`]: fileIsRendered('build/index.html', 'Notes, with SvelteKit'),
    [story]: tellStory,
  },
}

/** @type {ConsumerApp} */
const next = {
  name: 'next',
  copies: {
    shared: 'app/notes',
    'react/src/App.tsx': 'app/App.tsx',
    'react/src/Jotter.tsx': 'app/Jotter.tsx',
    'react/src/use-worker-tools.ts': 'app/use-worker-tools.ts',
    'react/src/tools.worker.ts': 'app/tools.worker.ts',
  },
  types: 'types check with TypeScript 6',
  dev: (port) => ['dev', '--hostname', '127.0.0.1', '--port', String(port)],
  preview: (port) => ['preview', '--hostname', '127.0.0.1', '--port', String(port)],
  devTests: {
    [rendered]: pageIsRendered('Notes, with Next'),
    [story]: tellStory,
    [strictMode]: surviveStrictMode,
    [jotter]: jotTwice,
  },
  buildTests: {
    [rendered]: pageIsRendered('Notes, with Next'),
    [story]: tellStory,
    [jotter]: jotTwice,
  },
}

/** All apps; those that take longest come first. */
export const consumerApps = [next, webpack, react, svelte, sveltekit]
