import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from './describe-failure.ts'

/** Number of seconds from which the time is shown in whole minutes. */
const IN_MINUTES = 120

/** Returns the seconds until a provider accepts calls again; 0 for failures without such a time. */
export function secondsLeft({ retry_at: at, retry_after: most }: Failure, now: number): number {
  if (typeof at !== 'number' || typeof most !== 'number') return 0
  // The gateway's clock may differ: the wait never exceeds the time the provider asked for.
  return Math.min(Math.max(Math.ceil(at - now / 1000), 0), most)
}

export interface TimeToRetry {
  readonly left: number
  /** True if there was a waiting time when the failure was first shown. */
  readonly hasWaited: boolean
}

/** Counts down to the time from which a retry makes sense. */
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

/** Shows the remaining waiting time, and then that it is over. */
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
