import type { ApprovalRequest } from '../execution/approval.ts'
import { readIssue } from '../tool/error-data.ts'
import { jsonSchema } from '../tool/json-schema.ts'
import type { JsonObject } from '../tool/json-value.ts'
import type { ToolOrigin } from '../tool/tool-origin.ts'
import { checkedAddress } from './elicit-address.ts'
import type { AskedInDialog, ElicitationQuestion, ElicitDialogOptions } from './elicit-dialog.ts'
import { elicitTexts, makeElicitView } from './elicit-view.ts'
import { flatSchema } from './flat-schema.ts'

/**
 * A server's question as a request that the queue of the dialogs can hold, with its own dialog.
 *
 * @throws Error for a question that cannot be asked.
 */
export function askInDialog(question: ElicitationQuestion, options: ElicitDialogOptions): AskedInDialog {
  const { message, requestedSchema = {}, signal, origin = '' } = question
  const url = question.url === undefined ? undefined : checkedAddress(question.url)
  const texts = elicitTexts(options.texts?.elicit)
  const server = options.server ?? (origin.replace(/^mcp:/, '') || undefined)
  const request = {
    ...{ callId: '', description: '', reasons: [], mayRemember: [], signal },
    ...{ toolName: texts.question, origin: `mcp:${server ?? texts.unknownServer}` as ToolOrigin },
    // For the list of all that wait.
    input: { [texts.message]: message },
    ...(url === undefined ? formOf(flatSchema(requestedSchema)) : { inputSchema: {}, check: async () => [] }),
  }
  const makeView: AskedInDialog['makeView'] = (shown, events) =>
    makeElicitView({ server, message, url }, shown, events)
  return { request, makeView }
}

function formOf(schema: JsonObject): Pick<ApprovalRequest, 'inputSchema' | 'userFields' | 'check'> {
  const validator = jsonSchema(schema)['~standard']
  return {
    inputSchema: schema,
    userFields: schema,
    check: async (content) => {
      const { issues = [] } = await validator.validate(content)
      return issues.map(readIssue)
    },
  }
}
