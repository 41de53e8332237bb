/** Lets an error reach the app's own error handling without costing whoever met it what it does. */
export function throwLater(error: unknown): void {
  setTimeout(() => {
    throw error
  })
}
