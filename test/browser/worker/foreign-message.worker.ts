// What another library in the worker file may send while it loads.
for (const message of [null, 'ready', { type: 'load-failed', error: {} }, { type: 'ready', tools: [] }]) {
  postMessage(message)
}
await import('./kit.worker.ts')

export {}
