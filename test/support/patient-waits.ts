import { vi } from 'vitest'

/** A guard against hanging, in milliseconds. Vitest's own, a second, is soon over on a busy machine. */
const guardMs = 20_000

const { waitFor } = vi

// A wait that ends well takes no longer than before.
vi.waitFor = (callback, options = guardMs) => waitFor(callback, options)
