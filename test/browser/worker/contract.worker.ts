import { serveTools } from 'offstage/worker'
import { contractTools } from '../../support/tool-source-contract-tools.ts'

serveTools(contractTools)
