import { combined, filtered, prefixed } from 'offstage'
import { asksAboutBigPayments, contractLabTools, labTraits } from '../../../support/mcp/contract-lab.ts'
import { describeToolSource } from '../../../support/tool-source-contract.ts'
import { clientOf, lab } from './lab.ts'

const contractClient = async (answers: 'sse' | 'json' = 'sse') =>
  clientOf(await lab({ tools: contractLabTools, pageSize: 3, answers }), {
    needsApproval: asksAboutBigPayments,
  })

describeToolSource(
  'an MCP server',
  async () => ({ source: await contractClient(), nameOf: (name) => `lab_${name}` }),
  labTraits,
)

describeToolSource(
  'an MCP server behind wrappers',
  async () => ({
    source: prefixed(combined([filtered(await contractClient(), 'all')], { onSourceError: 'skip' }), 'my'),
    nameOf: (name) => `my_lab_${name}`,
  }),
  labTraits,
)
