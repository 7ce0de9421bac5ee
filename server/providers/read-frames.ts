import { ServiceError } from '../lib/errors.ts'
import type { OutgoingReply } from '../lib/outgoing.ts'
import type { CompletionFrame, ErrorFrame, FrameBatches } from './provider.ts'
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

/** Cuts frames off behind the first error; throws an error that comes before any other frame. */
function endAtError(frames: readonly CompletionFrame[], hasBegun: boolean): readonly CompletionFrame[] {
  const failure = frames.findIndex(isErrorFrame)
  if (failure === 0 && !hasBegun) throw toThrown(frames[0] as ErrorFrame)
  return failure === -1 ? frames : frames.slice(0, failure + 1)
}

const endsWithError = (frames: readonly CompletionFrame[]): boolean => isErrorFrame(frames.at(-1)!)

/**
 * Frames of a reply, those of one read together: a failure is thrown before the first frame and is the last frame after it.
 * Many short frames cost far less this way than one by one.
 */
export async function* readBatches(
  reply: OutgoingReply,
  decoder: FrameDecoder,
  call: { faults: FaultContext; signal: AbortSignal },
): FrameBatches {
  let hasBegun = false
  try {
    for await (const chunk of reply.chunks()) {
      const frames = endAtError(decoder.push(chunk), hasBegun)
      if (frames.length > 0) {
        hasBegun = true
        yield frames
        if (endsWithError(frames)) return
      }
      if (decoder.isDone()) return
    }
    const rest = endAtError(decoder.end(), hasBegun)
    if (rest.length > 0) yield rest
  } catch (error) {
    if (call.signal.aborted) return
    const fault = toNetworkFault(error, call.faults)
    if (!hasBegun) throw fault
    yield [toErrorFrame(fault)]
  }
}

/** Frames one by one; an abort of the caller before the first one is no failure. */
export async function* streamUnlessAborted(
  signal: AbortSignal,
  start: () => Promise<FrameBatches>,
): AsyncGenerator<CompletionFrame, void, void> {
  let batches: FrameBatches
  try {
    batches = await start()
  } catch (error) {
    if (signal.aborted) return
    throw error
  }
  for await (const frames of batches) yield* frames
}

/** Throws when the caller has left. */
export function requireCaller(signal: AbortSignal): void {
  if (signal.aborted) throw callCancelled()
}
