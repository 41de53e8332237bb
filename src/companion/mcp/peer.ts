import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** What serves one session: it sits at the other end of the session's transport. */
export interface Peer {
  /** Whether a request of the client still waits for its answer. */
  readonly isBusy: boolean
  /** The client listens to what is sent without being asked, from now on. */
  listening?(): void
  /** The connection of these requests broke: nobody would read their answers. */
  abandoned(requestIds: readonly (string | number)[]): void
  /** Nothing was asked for a while: lets go of what can be had again. */
  rest?(): void
  /** Ends all that was started for the session. */
  close(): Promise<void>
}

/** What a peer is given. */
export interface SessionEnd {
  readonly transport: Transport
  /** Whether the client listens to what is sent without being asked. */
  isListening(): boolean
}

/** Serves the sessions of one path. */
export type OpenPeer = (end: SessionEnd) => Promise<Peer>
