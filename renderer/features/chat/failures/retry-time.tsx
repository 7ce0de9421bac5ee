import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/controls/button.tsx'
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
  /** Cancels the automatic retry at the end of the wait; null if there will be none. */
  readonly cancel?: (() => void) | null
}

/** Shows the remaining waiting time and what follows it, and then that it is over. */
export function RetryTime({ time: { left, hasWaited }, cancel = null }: RetryTimeProps) {
  const { t } = useTranslation()
  if (!hasWaited) return null
  const isWaiting = left > 0
  const words =
    left < IN_MINUTES
      ? t(cancel ? 'chat.error.retryingIn' : 'chat.error.retryIn', { count: left })
      : t(cancel ? 'chat.error.retryingInMinutes' : 'chat.error.retryInMinutes', {
          count: Math.ceil(left / 60),
        })
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted">
      <p className="tabular-nums">
        {isWaiting && words}
        <output>{isWaiting ? '' : t('chat.error.retryNow')}</output>
      </p>
      {cancel && (
        <Button className="h-7 px-2! text-small" onClick={cancel}>
          {t('common.cancel')}
        </Button>
      )}
    </div>
  )
}
