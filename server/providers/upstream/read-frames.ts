import { ServiceError } from '../../lib/errors.ts'
import type { OutgoingReply } from '../../lib/outgoing/outgoing.ts'
import type { ReplySink } from '../../lib/outgoing/paced-delivery.ts'
import type { CompletionFrame, ErrorFrame, FrameSink, FrameStream } from '../provider.ts'
import {
  callCancelled,
  toErrorFrame,
  toNetworkFault,
  type FaultContext,
} from './upstream-faults.ts'

/** Converts the bytes of one reply into frames, wherever they are split. */
export interface FrameDecoder {
  push(chunk: Buffer): CompletionFrame[]
  /**
   * Returns the frames of the remaining bytes when the reply has ended; the last one is an error if
   * the answer is incomplete.
   */
  end(): CompletionFrame[]
  /** Returns true after the upstream's own end mark; nothing after it is read. */
  isDone(): boolean
  /** Returns true if the answer is complete: it has a finish reason, or the end mark was sent. */
  isComplete(): boolean
}

interface FrameCall {
  readonly faults: FaultContext
  readonly signal: AbortSignal
}

export const isErrorFrame = (frame: CompletionFrame): frame is ErrorFrame => 'error' in frame

const isIncomplete = (frame: CompletionFrame): boolean =>
  isErrorFrame(frame) && frame.error.code === 'upstream_incomplete'

/** Returns the error that ended a stream. */
export function toThrown({ error }: ErrorFrame): ServiceError {
  return new ServiceError(error.status, error.message, {
    code: error.code,
    reported: error.reported,
    ...(error.facts && { facts: error.facts }),
  })
}

/** Receives frames before a reader is registered. */
const NOBODY: FrameSink = { onFrames: () => undefined, onEnd: () => undefined }

/**
 * Frames of one reply. A class that is its own sink, because one is created for every stream. Data
 * of one turn of the event loop is decoded together: many short pieces cost far less this way than
 * one by one.
 */
class ReplyFrames implements FrameStream, ReplySink {
  readonly #reply: OutgoingReply
  readonly #decoder: FrameDecoder
  readonly #call: FrameCall
  #sink = NOBODY
  #pieces: Buffer[] = []
  #hasBegun = false
  #hasEnded = false

  constructor(reply: OutgoingReply, decoder: FrameDecoder, call: FrameCall) {
    this.#reply = reply
    this.#decoder = decoder
    this.#call = call
  }

  read(sink: FrameSink): void {
    this.#sink = sink
    this.#reply.read(this)
  }

  pause(): void {
    this.#reply.pause()
  }

  resume(): void {
    this.#reply.resume()
  }

  abort(): void {
    this.#hasEnded = true
    this.#reply.abort()
  }

  onData(chunk: Buffer): boolean {
    if (chunk.length === 0) return true
    if (this.#hasEnded) this.#reply.abort()
    else if (this.#pieces.push(chunk) === 1) queueMicrotask(() => this.#decode())
    return true
  }

  onEnd(): void {
    this.#decode()
    if (this.#hasEnded) return
    try {
      this.#deliver(this.#decoder.end())
      this.#finish(null)
    } catch (error) {
      this.#fail(error)
    }
  }

  /**
   * Handles a broken connection: an answer that has ended stays complete, and so does an event of
   * which only the line ends are missing.
   */
  onFailure(error: unknown): void {
    this.#decode()
    if (this.#hasEnded) return
    if (this.#call.signal.aborted) return this.#finish(null)
    this.#deliver(this.#takeWhole())
    if (this.#decoder.isComplete()) this.#finish(null)
    else this.#fail(error)
  }

  /** Returns the complete frames in the remaining bytes when the connection broke. */
  #takeWhole(): CompletionFrame[] {
    try {
      return this.#decoder.end().filter((frame) => !isIncomplete(frame))
    } catch {
      // A truncated document contains no frames.
      return []
    }
  }

  #decode(): void {
    if (this.#pieces.length === 0 || this.#hasEnded) return
    const bytes = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces)
    this.#pieces = []
    try {
      this.#deliver(this.#decoder.push(bytes))
      if (this.#decoder.isDone()) this.#finish(null)
    } catch (error) {
      this.#breakOff(error)
    }
  }

  /**
   * @NOTE This runs between two turns of the event loop, where no other code catches errors thrown
   *   by a sink.
   */
  #breakOff(error: unknown): void {
    try {
      this.#fail(error)
    } catch {
      this.#hasEnded = true
    }
    // Aborted only now, because an abort is a failure too, and only the first failure is reported.
    this.#reply.abort()
  }

  /**
   * Delivers frames. The first error ends the answer, and later data of the upstream is discarded.
   */
  #deliver(frames: readonly CompletionFrame[]): void {
    if (frames.length === 0) return
    const failure = frames.findIndex(isErrorFrame)
    if (failure === 0 && !this.#hasBegun) this.#finish(toThrown(frames[0] as ErrorFrame))
    else {
      this.#hasBegun = true
      this.#sink.onFrames(failure === -1 ? frames : frames.slice(0, failure + 1))
      if (failure !== -1) this.#finish(null)
    }
    if (failure !== -1) this.#reply.abort()
  }

  #fail(error: unknown): void {
    if (this.#hasEnded) return
    if (this.#call.signal.aborted) return this.#finish(null)
    const fault = toNetworkFault(error, this.#call.faults)
    if (!this.#hasBegun) return this.#finish(fault)
    this.#sink.onFrames([toErrorFrame(fault)])
    this.#finish(null)
  }

  #finish(fault: ServiceError | null): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    // A paused reply can end only after it is resumed.
    this.#reply.resume()
    this.#sink.onEnd(fault)
  }
}

/**
 * Returns the frames of a reply: a failure before the first frame is reported at the end, a later
 * one is the last frame.
 */
export const toFrameStream = (
  reply: OutgoingReply,
  decoder: FrameDecoder,
  call: FrameCall,
): FrameStream => new ReplyFrames(reply, decoder, call)

/** Maximum number of batches waiting for a slow reader before the upstream is paused. */
const MOST_WAITING = 4

async function* readOneByOne(stream: FrameStream): AsyncGenerator<CompletionFrame, void, void> {
  const waiting: (readonly CompletionFrame[])[] = []
  const state: { end: { readonly fault: ServiceError | null } | null; wake: () => void } = {
    end: null,
    wake: () => undefined,
  }
  stream.read({
    onFrames(frames) {
      if (waiting.push(frames) === MOST_WAITING) stream.pause()
      state.wake()
    },
    onEnd(fault) {
      state.end = { fault }
      state.wake()
    },
  })
  try {
    for (;;) {
      const frames = waiting.shift()
      if (frames) {
        if (waiting.length === 0) stream.resume()
        yield* frames
      } else if (state.end) {
        if (state.end.fault) throw state.end.fault
        return
      } else await new Promise<void>((resolve) => (state.wake = resolve))
    }
  } finally {
    if (!state.end) stream.abort()
  }
}

/** Yields frames one by one; an abort by the caller before the first one is not a failure. */
export async function* streamUnlessAborted(
  signal: AbortSignal,
  start: () => Promise<FrameStream>,
): AsyncGenerator<CompletionFrame, void, void> {
  let stream: FrameStream
  try {
    stream = await start()
  } catch (error) {
    if (signal.aborted) return
    throw error
  }
  yield* readOneByOne(stream)
}

/** Throws if the caller has disconnected. */
export function requireCaller(signal: AbortSignal): void {
  if (signal.aborted) throw callCancelled()
}
