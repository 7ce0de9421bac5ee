import { ServiceError } from '../lib/errors.ts'
import type { OutgoingReply } from '../lib/outgoing.ts'
import type { CompletionFrame, ErrorFrame } from './provider.ts'
import { callCancelled, toErrorFrame, toNetworkFault, type FaultContext } from './upstream-faults.ts'

/** Turns the bytes of one reply into frames, wherever they are split. */
export interface FrameDecoder {
  push(chunk: Buffer): CompletionFrame[]
  /** Frames of what was left when the reply ended; says so when the answer was not complete. */
  end(): CompletionFrame[]
  /** True after the upstream's own end mark; what follows is not read. */
  isDone(): boolean
}

export const isErrorFrame = (frame: CompletionFrame): frame is ErrorFrame => 'error' in frame

function toThrown({ error }: ErrorFrame): ServiceError {
  return new ServiceError(error.status, error.message, { code: error.code })
}

async function* decode(reply: OutgoingReply, decoder: FrameDecoder): AsyncGenerator<CompletionFrame, void, void> {
  for await (const chunk of reply.chunks()) {
    yield* decoder.push(chunk)
    if (decoder.isDone()) return
  }
  yield* decoder.end()
}

/** Frames of a reply: a failure is thrown before the first frame and is the last frame after it. */
export async function* readFrames(
  reply: OutgoingReply,
  decoder: FrameDecoder,
  call: { faults: FaultContext; signal: AbortSignal },
): AsyncGenerator<CompletionFrame, void, void> {
  let hasBegun = false
  try {
    for await (const frame of decode(reply, decoder)) {
      if (isErrorFrame(frame) && !hasBegun) throw toThrown(frame)
      hasBegun = true
      yield frame
      if (isErrorFrame(frame)) return
    }
  } catch (error) {
    if (call.signal.aborted) return
    const fault = toNetworkFault(error, call.faults)
    if (!hasBegun) throw fault
    yield toErrorFrame(fault)
  }
}

/** The result of `open`, with an abort of the caller told apart from a failure. */
export async function* streamUnlessAborted(
  signal: AbortSignal,
  start: () => Promise<AsyncGenerator<CompletionFrame, void, void>>,
): AsyncGenerator<CompletionFrame, void, void> {
  let frames: AsyncGenerator<CompletionFrame, void, void>
  try {
    frames = await start()
  } catch (error) {
    if (signal.aborted) return
    throw error
  }
  yield* frames
}

/** Throws when the caller has left. */
export function requireCaller(signal: AbortSignal): void {
  if (signal.aborted) throw callCancelled()
}
