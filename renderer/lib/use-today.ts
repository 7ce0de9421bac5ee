import { useSyncExternalStore } from 'react'

const startOfToday = (): number => new Date().setHours(0, 0, 0, 0)

const CHECK_EVERY = 60_000

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, CHECK_EVERY)
  return () => clearInterval(timer)
}

/** Returns the start of today; changes at midnight. */
export const useToday = (): number => useSyncExternalStore(subscribe, startOfToday)
