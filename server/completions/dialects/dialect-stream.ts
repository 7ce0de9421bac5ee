import type { ServerResponse } from 'node:http'
import type { ChatCompletionChunk } from '#contract/completions.ts'
import { ServiceError } from '../../lib/errors.ts'
import { toServiceError } from '../../lib/to-error.ts'
import type { CompletionFrame, ErrorFrame, FrameSink, FrameStream } from '../../providers/index.ts'
import { createSseWriter, type SseWriter } from '../sse-writer.ts'

/** Turns the chunks of one answer into the events of a dialect; every method answers their text, perhaps none. */
export interface DialectStream {
  push(chunk: ChatCompletionChunk): string
  finish(): string
  fail(error: ServiceError): string
  /** What tells a silent line that the answer is still being worked on. */
  keepAlive(): string
}

/** Sends an answer as events. Fails with what went wrong before the first one. */
export async function sendDialectStream(response: ServerResponse, opening: Promise<FrameStream>, dialect: DialectStream): Promise<void> {
  const writer = createSseWriter(response, () => dialect.keepAlive())
  let stream: FrameStream
  try {
    stream = await opening
  } catch (error) {
    // A caller who was told that the answer is being worked on has to be told why it does not come.
    if (!writer.hasBegun || response.destroyed) throw error
    return writer.end(dialect.fail(toServiceError(error)))
  }
  return new Promise((resolve, reject) => stream.read(new EventSender({ stream, dialect, writer, resolve, reject })))
}

interface Sending {
  readonly stream: FrameStream
  readonly dialect: DialectStream
  readonly writer: SseWriter
  readonly resolve: () => void
  readonly reject: (fault: ServiceError) => void
}

/** A class, because one is made for every stream. What the same turn of the event loop brings goes out in one piece. */
class EventSender implements FrameSink {
  readonly #sending: Sending
  #pending = ''
  #hasEnded = false

  constructor(sending: Sending) {
    this.#sending = sending
  }

  onFrames(frames: readonly CompletionFrame[]): void {
    if (this.#hasEnded) return
    const { dialect } = this.#sending
    let text = ''
    for (const frame of frames) {
      if ('choices' in frame) text += dialect.push(frame as ChatCompletionChunk)
      else {
        const { message, code, status } = (frame as ErrorFrame).error
        this.#end(text + dialect.fail(new ServiceError(status, message, { code })))
        return
      }
    }
    if (this.#pending === '' && text !== '') queueMicrotask(() => this.#flush())
    this.#pending += text
  }

  onEnd(fault: ServiceError | null): void {
    if (this.#hasEnded) return
    const { dialect, writer, reject } = this.#sending
    if (fault === null) this.#end(dialect.finish())
    else if (writer.hasBegun || this.#pending !== '') this.#end(dialect.fail(fault))
    else {
      this.#hasEnded = true
      reject(fault)
    }
  }

  #end(last: string): void {
    this.#hasEnded = true
    this.#sending.writer.end(this.#take() + last)
    this.#sending.resolve()
  }

  #take(): string {
    const text = this.#pending
    this.#pending = ''
    return text
  }

  /** A slow reader holds the upstream back. */
  #flush(): void {
    const { stream, writer } = this.#sending
    if (this.#pending === '' || writer.send(this.#take())) return
    stream.pause()
    void writer.drained().then(() => stream.resume())
  }
}
