import { useCallback, useMemo, useState } from 'react'
import type { ArtifactProblem } from './artifact-protocol.ts'
import type { FrameEnd, FrameHearer } from './frame-line.ts'

/** State of an artifact's running page. */
export interface Run {
  /** Reason it is not running; null while it runs. */
  readonly end: FrameEnd | 'stopped' | null
  readonly isSilent: boolean
  readonly problems: readonly ArtifactProblem[]
  readonly failure: unknown
}

const FRESH: Run = { end: null, isSilent: false, problems: [], failure: null }
const MOST_PROBLEMS = 50

const isSame = (one: ArtifactProblem, other: ArtifactProblem): boolean =>
  one.kind === other.kind && one.text === other.text && one.line === other.line

const addProblem = (run: Run, problem: ArtifactProblem): Run =>
  run.problems.length >= MOST_PROBLEMS || run.problems.some((known) => isSame(known, problem))
    ? run
    : { ...run, problems: [...run.problems, problem] }

export interface RunControl {
  readonly run: Run
  /** Number of requested restarts. */
  readonly round: number
  readonly hearer: Omit<FrameHearer, 'onShown'>
  /** Called when other content starts. */
  readonly begin: () => void
  readonly stop: () => void
  readonly again: () => void
}

export function useRun(): RunControl {
  const [run, setRun] = useState(FRESH)
  const [round, setRound] = useState(0)
  const begin = useCallback(() => setRun(FRESH), [])
  const hearer = useMemo(
    () => ({
      onProblem: (problem: ArtifactProblem) => setRun((before) => addProblem(before, problem)),
      onSilent: (isSilent: boolean) =>
        setRun((before) => (before.isSilent === isSilent ? before : { ...before, isSilent })),
      onEnd: (end: FrameEnd) => setRun((before) => ({ ...before, end, isSilent: false })),
      onFailed: (failure: unknown) => setRun((before) => ({ ...before, failure })),
    }),
    [],
  )
  const stop = useCallback(
    () => setRun((before) => ({ ...before, end: 'stopped', isSilent: false })),
    [],
  )
  const again = useCallback(() => {
    setRun(FRESH)
    setRound((before) => before + 1)
  }, [])
  return { run, round, hearer, begin, stop, again }
}
