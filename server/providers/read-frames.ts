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

async function* decode(reply: OutgoingReply, decoder: FrameDecoder): AsyncGenerator<CompletionFrame[], void, void> {
  for await (const chunk of reply.chunks()) {
    yield decoder.push(chunk)
    if (decoder.isDone()) return
  }
  yield decoder.end()
}

/**
 * Frames of a reply, those of one read together: a failure is thrown before the first frame and is the last frame after it.
 * Many short frames cost far less this way than one by one.
 */
export async function* readBatches(
  reply: OutgoingReply,
  decoder: FrameDecoder,
  call: { faults: FaultContext; signal: AbortSignal },
): AsyncGenerator<readonly CompletionFrame[], void, void> {
  let hasBegun = false
  try {
    for await (const found of decode(reply, decoder)) {
      if (found.length === 0) continue
      const failure = found.findIndex(isErrorFrame)
      if (failure === 0 && !hasBegun) throw toThrown(found[0] as ErrorFrame)
      hasBegun = true
      yield failure === -1 ? found : found.slice(0, failure + 1)
      if (failure !== -1) return
    }
  } catch (error) {
    if (call.signal.aborted) return
    const fault = toNetworkFault(error, call.faults)
    if (!hasBegun) throw fault
    yield [toErrorFrame(fault)]
  }
}

/** Frames one by one. */
export async function* flatten(
  batches: AsyncGenerator<readonly CompletionFrame[], void, void>,
): AsyncGenerator<CompletionFrame, void, void> {
  for await (const frames of batches) yield* frames
}

/** The result of `open`, with an abort of the caller told apart from a failure. */
export async function* streamUnlessAborted<Item>(
  signal: AbortSignal,
  start: () => Promise<AsyncGenerator<Item, void, void>>,
): AsyncGenerator<Item, void, void> {
  let frames: AsyncGenerator<Item, void, void>
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
