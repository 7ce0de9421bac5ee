import type { ServerResponse } from 'node:http'
import type { ChatCompletionChunk } from '#contract/completions.ts'
import { ServiceError } from '../../lib/errors.ts'
import { toServiceError } from '../../lib/http.ts'
import type { CompletionFrame, ErrorFrame, FrameBatches } from '../../providers/index.ts'
import { createSseWriter } from '../sse-writer.ts'

/** Turns the chunks of one answer into the events of a dialect; every method answers their text, perhaps none. */
export interface DialectStream {
  push(chunk: ChatCompletionChunk): string
  finish(): string
  fail(error: ServiceError): string
  /** What tells a silent line that the answer is still being worked on. */
  keepAlive(): string
}

interface StreamCall {
  readonly response: ServerResponse
  readonly signal: AbortSignal
}

/** Sends an answer as events. What the same turn of the event loop brought goes out in one piece. */
export async function sendDialectStream(
  { response, signal }: StreamCall,
  opening: Promise<FrameBatches>,
  dialect: DialectStream,
): Promise<void> {
  const writer = createSseWriter(response, () => dialect.keepAlive())
  let pending = ''
  const take = (): string => {
    const text = pending
    pending = ''
    return text
  }
  const flush = (): void => {
    if (pending !== '') writer.send(take())
  }
  try {
    for await (const frames of await opening) {
      const { text, error } = convertBatch(frames, dialect)
      if (pending === '') process.nextTick(flush)
      pending += text
      if (error) return writer.end(take() + dialect.fail(error))
      if (response.writableNeedDrain) await writer.drained()
    }
    writer.end(take() + dialect.finish())
  } catch (error) {
    if (signal.aborted || !(writer.hasBegun || pending !== '')) throw error
    writer.end(take() + dialect.fail(toServiceError(error)))
  }
}

/** The events of some frames, up to the frame that says the answer failed. */
function convertBatch(frames: readonly CompletionFrame[], dialect: DialectStream): { text: string; error: ServiceError | null } {
  let text = ''
  for (const frame of frames) {
    if (!('choices' in frame)) {
      const { message, code, status } = (frame as ErrorFrame).error
      return { text, error: new ServiceError(status, message, { code }) }
    }
    text += dialect.push(frame as ChatCompletionChunk)
  }
  return { text, error: null }
}
