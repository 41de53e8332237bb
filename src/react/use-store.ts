import { useCallback, useSyncExternalStore } from 'react'

/** A store of the library: the same snapshot while nothing changed, and a listener that is called at once. */
export interface SnapshotStore<Snapshot> {
  getSnapshot(): Snapshot
  subscribe(listener: (snapshot: Snapshot) => void): () => void
}

/** The snapshot of a store, and a render whenever it changes. */
export function useStore<Snapshot>(
  store: SnapshotStore<Snapshot>,
  getServerSnapshot: () => Snapshot,
): Snapshot {
  const subscribe = useCallback(
    (onChange: () => void) => {
      // The store tells the value at once, which is no change: React has just read it.
      let isChange = false
      const unsubscribe = store.subscribe(() => {
        if (isChange) onChange()
      })
      isChange = true
      return unsubscribe
    },
    [store],
  )
  const getSnapshot = useCallback(() => store.getSnapshot(), [store])
  return useSyncExternalStore(subscribe, getSnapshot, getServerSnapshot)
}
