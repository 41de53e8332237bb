/** Bundles the client for Node; resolves to its path. */
export function buildNodeClient(): Promise<string>
/** Builds the pages of the client in a browser, and serves them. */
export function servePages(): Promise<{ readonly address: string; stop(): Promise<void> }>
