import type { Writable } from 'node:stream'
import { isRecord } from '../../lib/is-record.ts'
import { isLargeJson, stringifyInSteps } from '../../lib/json/stringify-in-steps.ts'
import { runInTurns } from '../../lib/turns.ts'
import { encodeFrame, encodeHead, type Message } from './frames.ts'

/** Returns true if a value contains a `Buffer` at any depth. */
function holdsBytes(value: unknown): boolean {
  if (Buffer.isBuffer(value)) return true
  if (Array.isArray(value)) return value.some(holdsBytes)
  if (!isRecord(value)) return false
  for (const name in value) if (holdsBytes(value[name])) return true
  return false
}

/**
 * Writes messages in the order they are sent. A message with a long conversation is serialized in
 * turns with other work, and subsequent messages wait for it.
 */
export class FrameWriter {
  readonly #output: Writable
  readonly #onUnwritable: (message: Message) => void
  #waiting: Message[] = []
  #isWriting = false

  /**
   * `onUnwritable` is called with a long message that cannot be written, such as one that is nested
   * too deeply.
   */
  constructor(output: Writable, onUnwritable: (message: Message) => void) {
    this.#output = output
    this.#onUnwritable = onUnwritable
  }

  send(message: Message): void {
    // Bytes arrive in sufficiently short chunks.
    if (this.#isWriting || (!holdsBytes(message) && isLargeJson(message))) {
      this.#waiting.push(message)
      if (!this.#isWriting) void this.#writeWaiting()
    } else this.#write(encodeFrame(message))
  }

  async #writeWaiting(): Promise<void> {
    this.#isWriting = true
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      try {
        await this.#writeOne(next)
      } catch {
        this.#onUnwritable(next)
      }
    }
    this.#isWriting = false
  }

  async #writeOne(message: Message): Promise<void> {
    if (holdsBytes(message) || !isLargeJson(message)) return this.#write(encodeFrame(message))
    const payload = await runInTurns(stringifyInSteps(message))
    this.#write(encodeHead(payload.length), payload)
  }

  #write(...pieces: readonly Buffer[]): void {
    if (this.#output.destroyed) return
    for (const piece of pieces) this.#output.write(piece)
  }
}
