import { WorkerToolset } from 'offstage'
import { useEffect, useRef, useState } from 'react'
import type { tools } from './tools.worker'

/** The tools of the worker: open as long as the component is mounted. */
export function useWorkerTools() {
  const kept = useRef<WorkerToolset<typeof tools>>(null)
  kept.current ??= new WorkerToolset<typeof tools>(
    () => new Worker(new URL('./tools.worker.ts', import.meta.url), { type: 'module' }),
    { size: 1 },
  )
  const workerTools = kept.current
  const [state, setState] = useState('starting')
  useEffect(() => {
    let mounted = true
    const show = (text: string) => {
      if (mounted) setState(text)
    }
    workerTools.start().then(
      () => show('ready'),
      (error: Error) => show(error.message),
    )
    return () => {
      mounted = false
      void workerTools.close()
    }
  }, [workerTools])
  return { workerTools, state }
}
