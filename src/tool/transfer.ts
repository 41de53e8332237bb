const transfers = new WeakMap<object, readonly Transferable[]>()

/**
 * Marks buffers in a tool's data to be handed over to the page instead of copied. They are empty in the
 * worker afterwards. Without a worker nothing is moved.
 *
 * @example return transfer({ pixels }, [pixels.buffer])
 */
export function transfer<T extends object>(data: T, buffers: readonly Transferable[]): T {
  transfers.set(data, buffers)
  return data
}

/** The buffers that a tool marked in its data. */
export function transfersOf(data: unknown): readonly Transferable[] {
  return typeof data === 'object' && data !== null ? (transfers.get(data) ?? []) : []
}
