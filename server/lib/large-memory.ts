/** What holds a picture in an answer of a model. More is not kept for the next one. */
const KEPT_BYTES = 16 * 1024 * 1024
/** What is asked for may be kept for long, and all of the memory with it. */
const MOST_UNUSED = 4
const KEPT_MILLISECONDS = 10_000

/** Memory that was handed out and may come back. */
const lent = new WeakSet<ArrayBufferLike>()
let spare: Buffer | null = null
let forgetting: NodeJS.Timeout | undefined

/**
 * Memory for a long message that is put together. A picture of megabytes costs the system as much to
 * find pages for as to copy, and V8 looks through its whole heap for every few of them: what comes
 * back is used again.
 */
export function takeLargeMemory(least: number): Buffer {
  const isFitting = spare !== null && spare.length >= least && spare.length <= MOST_UNUSED * least
  const found = isFitting ? spare! : Buffer.allocUnsafeSlow(least)
  if (isFitting) spare = null
  lent.add(found.buffer)
  return found
}

/**
 * Gives memory back, by the bytes that lie in it. Nobody may look at them any more, the system
 * included: what is sent has to be sent. Without effect for other memory.
 */
export function giveLargeMemoryBack({ buffer }: Buffer): void {
  if (!lent.delete(buffer) || buffer.byteLength > KEPT_BYTES) return
  if (spare === null || spare.length < buffer.byteLength) spare = Buffer.from(buffer)
  clearTimeout(forgetting)
  forgetting = setTimeout(() => (spare = null), KEPT_MILLISECONDS).unref()
}
