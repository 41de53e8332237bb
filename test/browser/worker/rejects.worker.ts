import { tool } from 'offstage'
import { serveTools } from 'offstage/worker'

await Promise.reject(new Error('the data of this worker could not be loaded'))
serveTools([tool({ name: 'one', description: 'Never served.', execute: () => 1 })])
