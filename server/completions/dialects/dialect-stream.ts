import type { ServerResponse } from 'node:http'
import type { ChatCompletionChunk } from '#contract/completions.ts'
import type { ServiceError } from '../../lib/errors.ts'
import { toServiceError } from '../../lib/to-error.ts'
import type { CompletionFrame, ErrorFrame, FrameSink, FrameStream } from '../../providers/index.ts'
import { toFrameError } from '../collect-answer.ts'
import { createSseWriter, type SseWriter } from '../sse-writer.ts'

/**
 * Text of events, or what makes it when its turn to be written has come: events that repeat a long
 * text wait as such.
 */
export type LateText = string | (() => string)
export type Events = string | readonly LateText[]

const toText = (event: LateText): string => (typeof event === 'string' ? event : event())

export const joinEvents = (first: Events, second: Events): Events =>
  typeof first === 'string' && typeof second === 'string' ? first + second : [first, second].flat()

/** All events in one text. */
export const writeEvents = (events: Events): string =>
  typeof events === 'string' ? events : events.map(toText).join('')

/** Turns the chunks of one answer into the events of a dialect, perhaps none. */
export interface DialectStream {
  push(chunk: ChatCompletionChunk): Events
  finish(): Events
  fail(error: ServiceError): Events
  /** What tells a silent line that the answer is still being worked on. */
  keepAlive(): string
  /** Lets go of what it keeps; nothing follows. */
  close?(): void
}

/** Sends an answer as events. Fails with what went wrong before the first one. */
export async function sendDialectStream(
  response: ServerResponse,
  opening: Promise<FrameStream>,
  dialect: DialectStream,
): Promise<void> {
  const writer = createSseWriter(response, () => dialect.keepAlive())
  let stream: FrameStream
  try {
    stream = await opening
  } catch (error) {
    // A caller who was told that the answer is being worked on has to be told why it does not come.
    if (!writer.hasBegun || response.destroyed) throw error
    return writer.end(writeEvents(dialect.fail(toServiceError(error))))
  }
  const sent = new Promise<void>((resolve, reject) =>
    stream.read(new EventSender({ stream, dialect, writer, resolve, reject })),
  )
  return dialect.close ? sent.finally(() => dialect.close!()) : sent
}

interface Sending {
  readonly stream: FrameStream
  readonly dialect: DialectStream
  readonly writer: SseWriter
  readonly resolve: () => void
  readonly reject: (fault: ServiceError) => void
}

/** Short events are written together up to this many characters. */
const TOGETHER = 64 * 1024

/**
 * A class, because one is made for every stream. What the same turn of the event loop brings goes
 * out in one piece, and long events one by one, each made when the reader has taken what was
 * written before.
 */
class EventSender implements FrameSink {
  readonly #sending: Sending
  #waiting: LateText[] = []
  #isWriting = false
  #hasEnded = false

  constructor(sending: Sending) {
    this.#sending = sending
  }

  onFrames(frames: readonly CompletionFrame[]): void {
    if (this.#hasEnded) return
    const { dialect } = this.#sending
    let events: Events = ''
    for (const frame of frames) {
      if ('choices' in frame)
        events = joinEvents(events, dialect.push(frame as ChatCompletionChunk))
      else {
        this.#end(joinEvents(events, dialect.fail(toFrameError(frame as ErrorFrame))))
        return
      }
    }
    this.#add(events)
    if (this.#isWriting || this.#waiting.length === 0) return
    this.#isWriting = true
    queueMicrotask(() => this.#flush())
  }

  onEnd(fault: ServiceError | null): void {
    if (this.#hasEnded) return
    const { dialect, writer, reject } = this.#sending
    if (fault === null) this.#end(dialect.finish())
    else if (writer.hasBegun || this.#waiting.length > 0) this.#end(dialect.fail(fault))
    else {
      this.#hasEnded = true
      reject(fault)
    }
  }

  #end(last: Events): void {
    this.#hasEnded = true
    this.#add(last)
    if (!this.#isWriting) this.#flush()
  }

  #add(events: Events): void {
    if (typeof events !== 'string') this.#waiting.push(...events)
    else if (events !== '') this.#waiting.push(events)
  }

  /** The next event, with short ones behind it. */
  #take(): string {
    let text = ''
    let taken = 0
    while (taken < this.#waiting.length && text.length < TOGETHER)
      text += toText(this.#waiting[taken++]!)
    if (taken === this.#waiting.length) this.#waiting = []
    else this.#waiting.splice(0, taken)
    return text
  }

  #flush(): void {
    this.#isWriting = true
    // An event may be longer than any text can be, and nobody else would hear of it.
    this.#write().catch(() => this.#sending.writer.drop())
  }

  /**
   * A slow reader holds the upstream back, and the making of what is to be written; one that has
   * left ends both.
   */
  async #write(): Promise<void> {
    const { stream, writer, resolve } = this.#sending
    while (!writer.isGone) {
      const text = this.#take()
      if (this.#hasEnded && this.#waiting.length === 0) {
        writer.end(text)
        return resolve()
      }
      if (text === '') break
      if (writer.send(text)) continue
      stream.pause()
      await writer.drained()
    }
    stream.resume()
    this.#isWriting = false
    if (!writer.isGone) return
    this.#waiting = []
    if (this.#hasEnded) resolve()
  }
}
