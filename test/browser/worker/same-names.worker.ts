import { tool } from 'offstage'
import { serveTools } from 'offstage/worker'

const one = tool({ name: 'twice', description: 'The first of its name.', execute: () => 1 })
const two = tool({ name: 'twice', description: 'The second of its name.', execute: () => 2 })

serveTools([one, two])
