import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** @typedef {import('./app-page.mjs').PageTest} PageTest */

/**
 * The server's page holds what the components show before anything of them runs in a browser.
 * @param {string} title the app's heading
 * @returns {PageTest}
 */
export function pageIsRendered(title) {
  return async ({ address }) => checkRendered(await (await fetch(address)).text(), title)
}

/**
 * The same, in a file that the build wrote.
 * @param {string} file in the app's folder
 * @param {string} title the app's heading
 * @returns {PageTest}
 */
export function fileIsRendered(file, title) {
  return async ({ folder }) => checkRendered(await readFile(join(folder, file), 'utf8'), title)
}

/**
 * @param {string} html
 * @param {string} title
 */
function checkRendered(html, title) {
  // React parts two neighbouring texts with a comment.
  const text = html.replaceAll('<!-- -->', '')
  const missing = [`<h1>${title}</h1>`, 'Tools: starting', 'Ask the agent', 'idle, 0 messages'].filter(
    (part) => !text.includes(part),
  )
  if (missing.length > 0)
    throw new Error(`What the server wrote lacks ${missing.join(', ')}:\n${html.slice(0, 2_000)}`)
}
