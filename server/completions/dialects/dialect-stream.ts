import type { ServerResponse } from 'node:http'
import type { ChatCompletionChunk } from '#contract/completions.ts'
import type { ServiceError } from '../../lib/errors.ts'
import { toServiceError } from '../../lib/serving/to-error.ts'
import type { CompletionFrame, ErrorFrame, FrameSink, FrameStream } from '../../providers/index.ts'
import { toFrameError } from '../deliver/collect-answer.ts'
import { createSseWriter, type SseWriter } from '../deliver/sse-writer.ts'

/**
 * Text of events, or a function that produces it when it is written: events that repeat a long text
 * are queued as functions.
 */
export type LateText = string | (() => string)
export type Events = string | readonly LateText[]

const toText = (event: LateText): string => (typeof event === 'string' ? event : event())

export const joinEvents = (first: Events, second: Events): Events =>
  typeof first === 'string' && typeof second === 'string' ? first + second : [first, second].flat()

/** Returns all events as one string. */
export const writeEvents = (events: Events): string =>
  typeof events === 'string' ? events : events.map(toText).join('')

/** Converts the chunks of one answer into events of a dialect, possibly none. */
export interface DialectStream {
  push(chunk: ChatCompletionChunk): Events
  finish(): Events
  fail(error: ServiceError): Events
  /** Returns the text that shows an idle connection that the answer is still in progress. */
  keepAlive(): string
  /** Releases the held state; no further calls follow. */
  close?(): void
}

/** Sends an answer as events. Rejects with the error if it occurs before the first event. */
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
    // A caller that has received keep-alives must also receive the reason why the answer fails.
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

/** Maximum number of characters up to which short events are written together. */
const TOGETHER = 64 * 1024

/**
 * A class, because one is created for every stream. Events of the same turn of the event loop are
 * sent in one write; long events are sent one by one, each produced when the reader has consumed
 * the previous output.
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

  /** Returns the next event, together with following short ones. */
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
    // An event may exceed the maximum string length, and no other code would report that.
    this.#write().catch(() => this.#sending.writer.drop())
  }

  /**
   * Writes the waiting events. A slow reader pauses the upstream and the production of further
   * text; a disconnected one ends both.
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
