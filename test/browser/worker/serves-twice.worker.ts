import { tool } from 'offstage'
import { serveTools } from 'offstage/worker'

serveTools([tool({ name: 'one', description: 'The first list.', execute: () => 1 })])
serveTools([tool({ name: 'two', description: 'The second list.', execute: () => 2 })])
