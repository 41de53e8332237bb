import { ToolError } from './errors.ts'

const transfers = new WeakMap<object, readonly Transferable[]>()

/**
 * Marks buffers in a tool's data to be handed over to the page instead of copied. They are empty in the
 * worker afterwards. Without a worker nothing is moved.
 *
 * @throws ToolError when a list entry is a view: only its buffer can be moved.
 * @example return transfer({ pixels }, [pixels.buffer])
 */
export function transfer<T extends object>(data: T, buffers: readonly Transferable[]): T {
  const view = buffers.findIndex((buffer) => ArrayBuffer.isView(buffer))
  if (view >= 0) {
    throw new ToolError(`transfer(): buffers[${view}] is a view on a buffer; pass its .buffer instead`, {
      code: 'uncloneable',
    })
  }
  transfers.set(data, buffers)
  return data
}

/** The buffers that a tool marked in its data. */
export function transfersOf(data: unknown): readonly Transferable[] {
  return typeof data === 'object' && data !== null ? (transfers.get(data) ?? []) : []
}
