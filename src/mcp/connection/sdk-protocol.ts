import type { AnySchema } from '@modelcontextprotocol/sdk/server/zod-compat.js'
import { Protocol, type RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import {
  type Notification,
  type Request,
  type Result,
  McpError as SdkError,
} from '@modelcontextprotocol/sdk/types.js'
import type { JsonObject } from '../../tool/json-value.ts'
import { McpError } from './mcp-connection.ts'

/**
 * The SDK's protocol without its `Client`, which would bring a validator that compiles code. What a server answers is
 * given as it came: of a list with one odd tool, the others are still of use.
 */
export class SdkProtocol extends Protocol<Request, Notification, Result> {
  /** Under which the next request goes out: the SDK counts, and does not tell. */
  get nextId(): number {
    return (this as unknown as { readonly _requestMessageId: number })._requestMessageId
  }

  /** @throws McpError when the exchange failed or the server answered with an error; otherwise what the SDK throws. */
  async ask(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject> {
    try {
      // Types of zod schemas say nothing about what only has to have this method.
      const result = await this.request({ method, params }, asItCame as unknown as AnySchema, options)
      return (result as { readonly value: JsonObject }).value
    } catch (error) {
      // What the exchange made of a failure travels through the SDK as the `data` of its error.
      throw error instanceof SdkError && error.data instanceof McpError ? error.data : error
    }
  }

  protected override assertCapabilityForMethod(): void {}
  protected override assertNotificationCapability(): void {}
  protected override assertRequestHandlerCapability(): void {}
  protected override assertTaskCapability(): void {}
  protected override assertTaskHandlerCapability(): void {}
}

const asItCame = { safeParse: (data: unknown) => ({ success: true, data }) }
