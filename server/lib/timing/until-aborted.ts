/** Settles like the work, or fails with the reason of the signal as soon as it aborts. */
export async function untilAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  const { promise: left, reject } = Promise.withResolvers<never>()
  const leave = (): void => reject(signal.reason)
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([left, work])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
