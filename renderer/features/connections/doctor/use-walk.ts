import { useCallback, useEffect, useRef, useState } from 'react'
import type { ConnectionInput } from '#contract/connections.ts'
import { DOCTOR_STEPS, type DoctorFinding, type DoctorStep } from '#contract/doctor.ts'
import { isAborted, toSentence } from '../../../api/api-error.ts'
import { call, endpoints } from '../../../api/client.ts'

/** A connection to check, saved or not. */
export interface Examined {
  readonly input: ConnectionInput
  /** Id of the connection whose stored key is used. */
  readonly id: string | null
}

export interface Walk {
  readonly findings: readonly DoctorFinding[]
  /** Step in progress. */
  readonly running: DoctorStep | null
  readonly problem: string | null
  readonly isOver: boolean
  /** Unix seconds of its end; null before. */
  readonly endedAt: number | null
}

const BEGINNING: Walk = {
  findings: [],
  running: null,
  problem: null,
  isOver: false,
  endedAt: null,
}

const takeStep = (
  { input, id }: Examined,
  step: DoctorStep,
  signal: AbortSignal,
): Promise<DoctorFinding> =>
  call(
    endpoints.doctor.examine,
    { body: { ...input, ...(id !== null && { id }), step } },
    { signal },
  )

/** Performs the steps in order, until one fails. */
async function walk(
  examined: Examined,
  signal: AbortSignal,
  show: (walk: Walk) => void,
): Promise<void> {
  const findings: DoctorFinding[] = []
  for (const running of DOCTOR_STEPS) {
    show({ ...BEGINNING, findings: [...findings], running })
    const finding = await takeStep(examined, running, signal)
    findings.push(finding)
    if (finding.verdict === 'bad') break
  }
  show({ ...BEGINNING, findings, isOver: true, endedAt: Date.now() / 1000 })
}

interface RunningWalk extends Walk {
  /** Connection as it is checked, with the fixes made so far. */
  readonly input: ConnectionInput
  /** Starts over, with other parameters if given. */
  readonly begin: (next?: Examined) => void
}

/** Returns the state of a connection check, which starts automatically and can be restarted. */
export function useWalk(examined: Examined): RunningWalk {
  const [state, setState] = useState(BEGINNING)
  const [current, setCurrent] = useState(examined)
  const running = useRef<AbortController | null>(null)
  const begin = useCallback((next: Examined): void => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    const show = (shown: Walk): void => {
      if (!controller.signal.aborted) setState(shown)
    }
    walk(next, controller.signal, show).catch((thrown: unknown) => {
      if (!isAborted(thrown)) show({ ...BEGINNING, problem: toSentence(thrown), isOver: true })
    })
  }, [])
  const first = useRef(examined)
  useEffect(() => {
    begin(first.current)
    return () => running.current?.abort()
  }, [begin])
  return {
    ...state,
    input: current.input,
    begin: (next = examined) => {
      setCurrent(next)
      begin(next)
    },
  }
}
