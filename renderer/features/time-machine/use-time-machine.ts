import { useCallback, useEffect, useState } from 'react'
import type { RestoreProgress, TimeMachineStatus } from '#contract/time-machine.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'

const ASKED_EVERY_MILLISECONDS = 1000

const isUnderWay = ({ restore }: TimeMachineStatus): boolean =>
  restore !== null && restore.step !== 'failed'

/** Returns the snapshots, and the progress of a full restore while it is running. */
export function useTimeMachine() {
  const [status, setStatus] = useState<TimeMachineStatus | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const load = useCallback(
    () =>
      call(endpoints.timeMachine.list, {}).then(setStatus, (thrown: unknown) =>
        setProblem(toSentence(thrown)),
      ),
    [],
  )
  useEffect(() => void load(), [load])
  const begin = (restore: RestoreProgress): void =>
    setStatus((known) => known && { ...known, restore })

  const isRestoring = status !== null && isUnderWay(status)
  useEffect(() => {
    if (!isRestoring) return undefined
    const timer = setInterval(() => void look(), ASKED_EVERY_MILLISECONDS)
    async function look(): Promise<void> {
      try {
        const found = await call(endpoints.timeMachine.list, {})
        // The gateway has restarted: all state of this window is outdated.
        if (found.restore === null) window.location.reload()
        else setStatus(found)
      } catch {
        // While the gateway restarts, requests fail.
      }
    }
    return () => clearInterval(timer)
  }, [isRestoring])
  return { status, problem, load, begin, isRestoring }
}
