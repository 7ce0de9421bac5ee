/** Maximum size of memory kept for reuse, enough for a picture in a model's answer. */
const KEPT_BYTES = 16 * 1024 * 1024
/**
 * Maximum ratio of memory size to requested size, since a message may be kept for long, and the
 * whole memory with it.
 */
const MOST_UNUSED = 4
const KEPT_MILLISECONDS = 10_000

/** Memory that was handed out and may be returned. */
const lent = new WeakSet<ArrayBufferLike>()
let spare: Buffer | null = null
let forgetting: NodeJS.Timeout | undefined

/**
 * Returns memory for assembling a long message. For a picture of several megabytes, allocating
 * pages costs the system as much as copying, and V8 scans its whole heap after every few of them,
 * so returned memory is reused.
 */
export function takeLargeMemory(least: number): Buffer {
  const isFitting = spare !== null && spare.length >= least && spare.length <= MOST_UNUSED * least
  const found = isFitting ? spare! : Buffer.allocUnsafeSlow(least)
  if (isFitting) spare = null
  lent.add(found.buffer)
  return found
}

/**
 * Returns memory for reuse, identified by the bytes in it. The bytes must no longer be read, not
 * even by the system: pending writes must have finished. Has no effect on other memory.
 */
export function giveLargeMemoryBack({ buffer }: Buffer): void {
  if (!lent.delete(buffer) || buffer.byteLength > KEPT_BYTES) return
  if (spare === null || spare.length < buffer.byteLength) spare = Buffer.from(buffer)
  clearTimeout(forgetting)
  forgetting = setTimeout(() => (spare = null), KEPT_MILLISECONDS).unref()
}
