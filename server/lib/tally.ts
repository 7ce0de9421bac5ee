// Counters of this process, independent of whether they are read: one number each, so that counting
// code depends on no consumer.

/** Periodic work. */
export const PERIODIC_JOBS = [
  'upkeep',
  'backup',
  'integrity_check',
  'automations',
  'snapshots',
] as const
export type PeriodicJob = (typeof PERIODIC_JOBS)[number]

const periodicRuns: Record<PeriodicJob, number> = {
  upkeep: 0,
  backup: 0,
  integrity_check: 0,
  automations: 0,
  snapshots: 0,
}
const tokens = { input: 0, output: 0 }

/** Counts a run that ended without an error. */
export function countPeriodicRun(job: PeriodicJob): void {
  periodicRuns[job] += 1
}

/** Counts the tokens of one answer; those a provider does not report are 0. */
export function countTokens({ input, output }: { input: number; output: number }): void {
  if (Number.isSafeInteger(input) && input > 0) tokens.input += input
  if (Number.isSafeInteger(output) && output > 0) tokens.output += output
}

/** Returns all counts since the start of this process. */
export const readTally = (): {
  readonly periodicRuns: Readonly<Record<PeriodicJob, number>>
  readonly tokens: Readonly<{ input: number; output: number }>
} => ({ periodicRuns, tokens })
