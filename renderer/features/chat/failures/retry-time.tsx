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
  /** Unix milliseconds of this computer's clock at which the wait ends. */
  readonly endsAt: number
}

/** Counts down to the time from which a retry makes sense. */
export function useRetryTime(error: Failure): TimeToRetry {
  // The gateway's clock is read once: with one that differs, the time left would stand still.
  const [{ first, endsAt }] = useState(() => {
    const now = Date.now()
    const seconds = secondsLeft(error, now)
    return { first: seconds, endsAt: now + seconds * 1000 }
  })
  const [left, setLeft] = useState(first)
  const isWaiting = left > 0
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(
      () => setLeft(Math.max(0, Math.ceil((endsAt - Date.now()) / 1000))),
      1000,
    )
    return () => clearInterval(timer)
  }, [endsAt, isWaiting])
  return { left, hasWaited: first > 0, endsAt }
}

interface RetryTimeProps {
  readonly time: TimeToRetry
  /** True if the wait ends with a retry. */
  readonly isAutomatic?: boolean
}

/** Shows the remaining waiting time and what follows it, and then that it is over. */
export function RetryTime({ time: { left, hasWaited }, isAutomatic = false }: RetryTimeProps) {
  const { t } = useTranslation()
  if (!hasWaited) return null
  const isWaiting = left > 0
  const words =
    left < IN_MINUTES
      ? t(isAutomatic ? 'chat.error.retryingIn' : 'chat.error.retryIn', { count: left })
      : t(isAutomatic ? 'chat.error.retryingInMinutes' : 'chat.error.retryInMinutes', {
          count: Math.ceil(left / 60),
        })
  return (
    <p className="text-muted tabular-nums">
      {isWaiting && words}
      <output>{isWaiting ? '' : t('chat.error.retryNow')}</output>
    </p>
  )
}
