import { useCallback, useEffect, useRef } from 'react'

const KEEP_AFTER_MS = 250

/**
 * Returns a function for a changing value, which is stored a moment later, and at once when the page
 * closes or `place` changes; null stores nothing.
 */
export function useKept<Value, Place>(
  place: Place,
  keep: (place: Place, value: Value) => void,
): (value: Value | null) => void {
  const waiting = useRef<Value | null>(null)
  useEffect(() => {
    const keepWaiting = (): void => {
      if (waiting.current !== null) keep(place, waiting.current)
      waiting.current = null
    }
    const timer = setInterval(keepWaiting, KEEP_AFTER_MS)
    window.addEventListener('pagehide', keepWaiting)
    return () => {
      clearInterval(timer)
      window.removeEventListener('pagehide', keepWaiting)
      keepWaiting()
    }
  }, [place, keep])
  return useCallback((value: Value | null) => {
    waiting.current = value
  }, [])
}
