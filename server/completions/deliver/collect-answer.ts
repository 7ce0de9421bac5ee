import type { ChatCompletion, ChatCompletionChunk } from '#contract/completions.ts'
import { AnswerRoom } from '../../lib/answer-room.ts'
import { ServiceError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { ErrorFrame } from '../../providers/index.ts'
import { createAnswer } from '../answer/answer.ts'
import { toCompletion } from '../dialects/chat-completions.ts'
import { generate } from '../generate/generate.ts'
import type { Prepared } from '../prepare/prepare-stateless.ts'

/** Collects a whole answer from the frames that tools and filters process. */
export async function collectAnswer({ exchange, request }: Prepared): Promise<ChatCompletion> {
  const answer = createAnswer()
  const asked = { ...request, stream: true, stream_options: { include_usage: true } }
  const room = new AnswerRoom()
  try {
    for await (const frame of generate({ exchange, request: asked })) {
      if (!('choices' in frame)) throw toFrameError(frame as ErrorFrame)
      const before = answer.size
      answer.append(frame as ChatCompletionChunk)
      room.take(answer.size - before)
    }
  } finally {
    room.release()
  }
  exchange.signal.throwIfAborted()
  return toCompletion(answer, { model: exchange.resolved.model.id, messageId: newId() })
}

/** Returns the error that ended a stream. */
export const toFrameError = ({ error }: ErrorFrame): ServiceError =>
  new ServiceError(error.status, error.message, {
    code: error.code,
    reported: error.reported,
    ...(error.facts && { facts: error.facts }),
  })
