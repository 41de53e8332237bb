import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Agent } from '../agent/agent.ts'
import { AgentSession, type SessionOptions } from '../agent/session.ts'
import type { SessionSnapshot } from '../agent/session-snapshot.ts'
import { useStore } from './use-store.ts'

/** What {@link useAgentSession} gives: the snapshot, and the session to act on. */
export interface AgentSessionView<Deps = unknown> extends SessionSnapshot {
  readonly session: AgentSession<Deps>
}

/**
 * Follows a session: renders when something changes, at most once in 16 ms while a model writes.
 *
 * Given an agent, it makes a session that belongs to the component: one for as long as it is mounted, over hot updates
 * too, whose run is stopped when the component goes away. Another agent begins another session, so make the agent
 * outside of the component, or keep it with `useState`. A session of the app's own goes on without the component.
 *
 * @param options - For a session that is made here; read once.
 * @example
 * const { session, messages, status } = useAgentSession(agent)
 * return <form action={(data) => void session.send(String(data.get('text')))}>…</form>
 */
export function useAgentSession<Deps>(
  source: Agent<Deps> | AgentSession<Deps>,
  options: Omit<SessionOptions<Deps>, 'agent'> = {},
): AgentSessionView<Deps> {
  const session = useSession(source, options)
  const getServerSnapshot = useCallback(() => session.getServerSnapshot(), [session])
  const snapshot = useStore(session, getServerSnapshot)
  return useMemo(() => ({ ...snapshot, session }), [snapshot, session])
}

function useSession<Deps>(
  source: Agent<Deps> | AgentSession<Deps>,
  options: Omit<SessionOptions<Deps>, 'agent'>,
): AgentSession<Deps> {
  const make = () => ({
    source,
    session: isSession(source) ? source : new AgentSession({ agent: source, ...options }),
  })
  // State and no memo: a hot update makes a memo anew, and the conversation would be gone.
  const [kept, keep] = useState(make)
  let current = kept
  if (current.source !== source) {
    current = make()
    keep(current)
  }
  const { session } = current
  useStopWhenGone(isSession(source) ? undefined : session)
  return session
}

// StrictMode and hot updates run the effect's clean-up and the effect again in one go: that is no going away.
function useStopWhenGone<Deps>(session: AgentSession<Deps> | undefined): void {
  const mounted = useRef<AgentSession<Deps>>(undefined)
  useEffect(() => {
    mounted.current = session
    return () => {
      mounted.current = undefined
      queueMicrotask(() => {
        if (mounted.current !== session) void session?.stop()
      })
    }
  }, [session])
}

function isSession<Deps>(source: Agent<Deps> | AgentSession<Deps>): source is AgentSession<Deps> {
  return 'getSnapshot' in source
}
