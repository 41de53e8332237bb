import { callEverything } from '../call-everything.ts'

// Nobody can be asked from here.
addEventListener('message', ({ data: url }) => {
  callEverything(url, false).then(
    (report) => postMessage({ report }),
    (error) => postMessage({ error: String(error) }),
  )
})
