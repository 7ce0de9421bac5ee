/** Reason why a call is not answered yet, and the share that is done, if known. */
export interface CallWait {
  readonly reason: 'loading' | 'queued'
  /** Between 0 and 1. */
  readonly progress: number | null
}
