import { setTimeout } from 'node:timers/promises'

/**
 * The value, or a fault when it takes too long. What lists models may have to ask pipes of the very
 * worker that waits for the answer, and a plugin that asks without `await` keeps that worker from
 * answering.
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
