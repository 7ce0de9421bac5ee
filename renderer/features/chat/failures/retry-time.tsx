import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from './describe-failure.ts'

/** From here on whole minutes say enough. */
const IN_MINUTES = 120

/** Seconds until a provider takes calls again; 0 for failures without such a time. */
export function secondsLeft({ retry_at: at, retry_after: most }: Failure, now: number): number {
  if (typeof at !== 'number' || typeof most !== 'number') return 0
  // The clock of the gateway may be another one: nobody waits longer than the provider asked for.
  return Math.min(Math.max(Math.ceil(at - now / 1000), 0), most)
}

export interface TimeToRetry {
  readonly left: number
  /** Whether there was a time to wait when it was first looked at. */
  readonly hasWaited: boolean
}

/** Counts down to the moment from which trying again makes sense. */
export function useRetryTime(error: Failure): TimeToRetry {
  const [left, setLeft] = useState(() => secondsLeft(error, Date.now()))
  const [hasWaited] = useState(left > 0)
  const isWaiting = left > 0
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => setLeft(secondsLeft(error, Date.now())), 1000)
    return () => clearInterval(timer)
  }, [error, isWaiting])
  return { left, hasWaited }
}

/** Says how long to wait, and then that it is over. */
export function RetryTime({ time: { left, hasWaited } }: { time: TimeToRetry }) {
  const { t } = useTranslation()
  if (!hasWaited) return null
  const isWaiting = left > 0
  const waiting =
    left < IN_MINUTES
      ? t('chat.error.retryIn', { count: left })
      : t('chat.error.retryInMinutes', { count: Math.ceil(left / 60) })
  return (
    <p className="text-muted tabular-nums">
      {isWaiting && waiting}
      <output>{isWaiting ? '' : t('chat.error.retryNow')}</output>
    </p>
  )
}
