import { useMemo, useState, useSyncExternalStore } from 'react'
import type { AgentSession } from '../agent/session.ts'
import type { ApprovalQueue } from '../agent/session-approvals.ts'
import type { OpenQuestion } from '../agent/session-snapshot.ts'
import { type SnapshotStore, useStore } from './use-store.ts'

const none: readonly OpenQuestion[] = []

/**
 * The questions that a person has to answer, for the component that shows them: each has `input`, `reasons` and
 * `answer`. They are kept outside of it: when it goes away, the next one shows them. Of several that are mounted only
 * the first gets them, so that nobody is asked twice; for a badge or a list elsewhere read `pending` of
 * `useAgentSession`.
 *
 * Nothing stands between the page and `answer`: call it from the handler of a person's click or key, and from nothing
 * else. `confirmDialog()` also guards against clicks that were meant for something else.
 *
 * @example
 * const [question] = usePendingApprovals(session)
 * return question && <button onClick={() => question.answer(true)}>Allow {question.toolName}</button>
 */
export function usePendingApprovals<Deps>(
  source: AgentSession<Deps> | ApprovalQueue,
): readonly OpenQuestion[] {
  const isShown = useFirstHost(source)
  const store: SnapshotStore<readonly OpenQuestion[]> = useMemo(() => questionsOf(source), [source])
  const questions = useStore(store, () => none)
  return isShown ? questions : none
}

/** The questions for a person as a store; those that are answered elsewhere are left out. */
function questionsOf<Deps>(
  source: AgentSession<Deps> | ApprovalQueue,
): SnapshotStore<readonly OpenQuestion[]> {
  let from = none
  let kept = none
  const getSnapshot = () => {
    const snapshot = source.getSnapshot()
    const all = 'pending' in snapshot ? snapshot.pending : snapshot
    if (all !== from) {
      from = all
      kept = all.filter(({ kind }) => kind !== 'external')
    }
    return kept
  }
  return { getSnapshot, subscribe: (listener) => source.subscribe(() => listener(getSnapshot())) }
}

/** The components that could show the questions of one source; the first one does. */
class Hosts {
  readonly #hosts = new Map<object, () => void>()

  join(host: object, onChange: () => void): () => void {
    this.#hosts.set(host, onChange)
    return () => {
      this.#hosts.delete(host)
      for (const tell of this.#hosts.values()) tell()
    }
  }

  isFirst(host: object): boolean {
    const [first] = this.#hosts.keys()
    return first === host
  }
}

const hostsOf = new WeakMap<object, Hosts>()

function useFirstHost(source: object): boolean {
  const [host] = useState(() => ({}))
  const store = useMemo(() => {
    const hosts = hostsOf.get(source) ?? new Hosts()
    hostsOf.set(source, hosts)
    return {
      subscribe: (onChange: () => void) => hosts.join(host, onChange),
      getSnapshot: () => hosts.isFirst(host),
    }
  }, [source, host])
  return useSyncExternalStore(store.subscribe, store.getSnapshot, () => false)
}
