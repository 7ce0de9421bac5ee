import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionRequest,
} from '#contract/completions.ts'
import { AnswerRoom } from '../../lib/answer-room.ts'
import { ServiceError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { CompletionFrame, ErrorFrame } from '../../providers/index.ts'
import { createAnswer } from '../answer/answer.ts'
import { toCompletion } from '../dialects/chat-completions.ts'
import type { Exchange } from '../exchange.ts'
import { generate } from '../generate/generate.ts'
import { toProviderCall } from '../generate/provider-call.ts'
import type { EventTexts } from './event-texts.ts'
import type { Prepared } from '../prepare/prepare-stateless.ts'

/** Returns the frames of a stateless answer, with the texts of events. */
export function generateStateless(prepared: Prepared): AsyncGenerator<CompletionFrame, void, void> {
  const { eventTexts } = prepared.exchange
  const frames = generate(prepared)
  return eventTexts ? eventTexts.into(frames) : frames
}

/** Returns a whole stateless answer, with the texts of events. */
export async function completeStateless(prepared: Prepared): Promise<ChatCompletion> {
  const { exchange, request } = prepared
  const { belt, filters, resolved, eventTexts } = exchange
  // Events of a pipe stand among its text, so its frames are read.
  const isPipe = resolved.provider.kind === 'pipe'
  if (belt !== null || filters.length > 0)
    return collectAnswer(exchange, {
      ...request,
      stream: true,
      stream_options: { include_usage: true },
    })
  if (isPipe) return collectAnswer(exchange, request)
  const completion = await resolved.provider.complete(toProviderCall(exchange, request))
  return eventTexts && !eventTexts.isEmpty ? withTexts(completion, eventTexts) : completion
}

function withTexts(completion: ChatCompletion, texts: EventTexts): ChatCompletion {
  const [first, ...others] = completion.choices
  if (!first) return completion
  const { content } = first.message
  const woven = texts.weave(typeof content === 'string' ? content : '')
  const message = { ...first.message, content: woven }
  return { ...completion, choices: [{ ...first, message }, ...others] }
}

/** Collects a whole answer from the frames that tools, filters and pipes make. */
async function collectAnswer(
  exchange: Exchange,
  asked: ChatCompletionRequest,
): Promise<ChatCompletion> {
  const answer = createAnswer()
  const { eventTexts } = exchange
  eventTexts?.follow(() => answer.content.length)
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
  return toCompletion(answer, {
    model: exchange.resolved.model.id,
    messageId: newId(),
    content: eventTexts?.weave(answer.content) ?? answer.content,
  })
}

/** Returns the error that ended a stream. */
export const toFrameError = ({ error }: ErrorFrame): ServiceError =>
  new ServiceError(error.status, error.message, {
    code: error.code,
    reported: error.reported,
    ...(error.facts && { facts: error.facts }),
  })
