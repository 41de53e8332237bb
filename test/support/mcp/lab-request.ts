import type { IncomingMessage, ServerResponse } from 'node:http'

/** An HTTP request that a lab server got. */
export interface LabRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
  /** The JSON-RPC message of a POST. */
  readonly message: LabMessage | undefined
  /** Resolves when the connection of the answer is done with: to whether the answer was whole. */
  readonly closed: Promise<boolean>
  /** Whether {@link closed} is still to come. */
  readonly isOpen: () => boolean
}

export interface LabMessage {
  readonly id?: string | number
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly message: string }
}

export async function readRequest(request: IncomingMessage, response: ServerResponse): Promise<LabRequest> {
  let open = true
  const closed = new Promise<boolean>((resolve) => {
    response.on('close', () => {
      open = false
      resolve(response.writableFinished)
    })
  })
  const bytes: Uint8Array[] = []
  for await (const piece of request) bytes.push(piece as Uint8Array)
  const text = Buffer.concat(bytes).toString('utf8')
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    headers: request.headers,
    text,
    message: parse(text),
    closed,
    isOpen: () => open,
  }
}

function parse(text: string): LabMessage | undefined {
  try {
    return JSON.parse(text) as LabMessage
  } catch {
    return undefined
  }
}
