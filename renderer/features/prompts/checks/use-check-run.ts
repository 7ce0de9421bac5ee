import { useEffect, useRef, useState } from 'react'
import type { CheckEvent, CheckResult, CheckRun } from '#contract/prompt-checks.ts'
import { isAborted, toSentence } from '../../../api/api-error.ts'
import { callRaw, endpoints } from '../../../api/client.ts'
import { readEvents } from '../../../api/read-events.ts'
import { translate } from '../../../lib/i18n.ts'

/** State of a run as displayed. */
export interface ShownRun {
  readonly state: 'idle' | 'running' | 'done' | 'stopped'
  readonly total: number
  readonly results: readonly CheckResult[]
  readonly problem: string | null
}

const IDLE: ShownRun = { state: 'idle', total: 0, results: [], problem: null }

function take(run: ShownRun, event: CheckEvent): ShownRun {
  if (event.type === 'begun') return { ...run, total: event.total }
  if (event.type === 'done') return { ...run, state: 'done' }
  return { ...run, results: [...run.results, event] }
}

/** Runs the checks of a prompt; leaving the screen stops the run. */
export function useCheckRun(promptId: string) {
  const [run, setRun] = useState(IDLE)
  const leaving = useRef<AbortController | null>(null)
  useEffect(() => () => leaving.current?.abort(), [])
  const start = async (body: CheckRun): Promise<void> => {
    const controller = (leaving.current = new AbortController())
    setRun({ ...IDLE, state: 'running' })
    try {
      const input = { params: { prompt_id: promptId }, body }
      const { signal } = controller
      const response = await callRaw(endpoints.promptChecks.run, input, { signal })
      for await (const data of readEvents(response.body!))
        setRun((before) => take(before, JSON.parse(data) as CheckEvent))
      setRun((before) =>
        before.state === 'running'
          ? { ...before, state: 'stopped', problem: translate('promptChecks.brokeOff') }
          : before,
      )
    } catch (thrown) {
      const problem = isAborted(thrown) ? null : toSentence(thrown)
      setRun((before) => ({ ...before, state: 'stopped', problem }))
    }
  }
  return { run, start, stop: () => leaving.current?.abort() }
}
