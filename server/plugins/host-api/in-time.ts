import { setTimeout } from 'node:timers/promises'

/**
 * Returns the value, or throws if it takes too long. Listing models may call pipes in the same
 * worker that waits for the result, and a plugin that calls it without `await` keeps that worker
 * from responding.
 */
export function inTime<Value>(
  value: Promise<Value>,
  milliseconds: number,
  fault: () => Error,
): Promise<Value> {
  const ended = new AbortController()
  const late = setTimeout(milliseconds, undefined, { signal: ended.signal, ref: false }).then(
    () => Promise.reject(fault()),
    () => new Promise<never>(() => undefined),
  )
  return Promise.race([value, late]).finally(() => ended.abort())
}
