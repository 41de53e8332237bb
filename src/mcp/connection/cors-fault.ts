import type { FailedRequest } from './diagnosis.ts'
import { McpError } from './mcp-connection.ts'
import { probe } from './probe.ts'
import { shownUrl } from './shown-url.ts'

/**
 * What the server does not allow pages of this origin; undefined when it does not answer at all. Asks with requests
 * that carry nothing.
 */
export async function corsFault(failed: FailedRequest, origin: string): Promise<McpError | undefined> {
  const { url, cause } = failed
  if (!(await answers(failed, { mode: 'no-cors' }))) return undefined
  const fault = (text: string, mayHaveRun = true) =>
    new McpError(`${shownUrl(url)} answers, but not to pages of ${origin}: ${text}`, {
      code: 'cors',
      mayHaveRun,
      cause,
    })
  if (!(await answers(failed, {}))) {
    return fault(`its answers lack the header "Access-Control-Allow-Origin: ${origin}".`)
  }
  const missing = await refusedHeaders(failed)
  if (missing.length > 0) {
    return fault(
      `its answer to OPTIONS lacks the header "Access-Control-Allow-Headers: ${missing.join(', ')}".`,
      false,
    )
  }
  return fault(
    'its answer to this request lacks the header "Access-Control-Allow-Origin", as the answers of servers to their ' +
      'own errors often do.',
  )
}

/** Which of the headers that were sent a preflight does not allow. They are tried one by one, with a value of no use. */
async function refusedHeaders(failed: FailedRequest): Promise<string[]> {
  const names = [...failed.headers.keys()].filter((name) => name !== 'accept')
  const allowed = await Promise.all(
    names.map((name) =>
      answers(failed, { headers: { [name]: name === 'content-type' ? 'application/json' : 'x' } }),
    ),
  )
  return names.filter((_name, index) => !allowed[index])
}

async function answers({ url, stop }: FailedRequest, init: RequestInit): Promise<boolean> {
  return (await probe(url, init, stop)) !== undefined
}
