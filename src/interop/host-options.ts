import type { ToolExecutorOptions } from '../execution/executor-options.ts'

/** What of an executor an app may set for the calls of another loop. */
export type HostExecutorOptions = Omit<ToolExecutorOptions, 'tools' | 'confirm' | 'alwaysPermitted'>

// An object and not a list: a new option that is missing here does not compile.
const names: Readonly<Record<keyof HostExecutorOptions, true>> = {
  ...{ grants: true, policy: true, trustedHosts: true, permissions: true, middleware: true, timeoutMs: true },
  ...{ maxRetries: true, failFast: true, maxCallsPerStep: true, maxResultChars: true, resultStore: true },
  ...{ texts: true, onEvent: true },
}

/** Their names, to be checked. */
export const hostOptionNames: readonly string[] = Object.keys(names)
