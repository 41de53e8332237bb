import { NotesTool } from 'offstage/tools'
import { serveTools } from 'offstage/worker'

serveTools([new NotesTool({ root: 'notes-of-a-tool-worker' })])
