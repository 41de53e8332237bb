import { callEverything, type EverythingReport } from '../call-everything.ts'

function callInWorker(url: string): Promise<EverythingReport> {
  const worker = new Worker(new URL('./everything.worker.ts', import.meta.url), { type: 'module' })
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data: { report, error } }) => {
      if (report === undefined) reject(new Error(error))
      else resolve(report)
    }
    worker.onerror = ({ message }) => reject(new Error(message))
    worker.postMessage(url)
  })
}

Object.assign(globalThis, {
  everything: { onPage: (url: string) => callEverything(url, true), inWorker: callInWorker },
})
