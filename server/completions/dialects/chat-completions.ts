import type { ChatCompletion } from '#contract/completions.ts'
import type { ServiceError } from '../../lib/errors.ts'
import { toErrorBody } from '../../lib/serving/to-error.ts'
import { nowSeconds } from '../../lib/ids.ts'
import { toLogProbabilities } from '../../providers/index.ts'
import type { Answer } from '../answer/answer.ts'

/** Last frame of every stream. */
export const DONE_FRAME = 'data: [DONE]\n\n'

export const toSseFrame = (value: object): string => `data: ${JSON.stringify(value)}\n\n`

/**
 * Returns the field that reports why a started stream ends early. Clients of the reference system
 * read the sentence as `detail` of the error, SDKs as its `message`.
 */
export function toStreamError(failure: ServiceError): { readonly error: object } {
  const { detail, error } = toErrorBody(failure, 'chat-completions')
  return { error: { ...(error as object), detail } }
}

export const toErrorFrame = (failure: ServiceError): string => toSseFrame(toStreamError(failure))

/** Returns a collected answer as one document. */
export function toCompletion(
  answer: Answer,
  {
    model,
    messageId,
    content = answer.content,
  }: { model: string; messageId: string; content?: string },
): ChatCompletion {
  const { reasoning, reasoningDetails, refusal, images, toolCalls, usage } = answer
  return {
    id: answer.upstreamId ?? `chatcmpl-${messageId}`,
    object: 'chat.completion',
    created: nowSeconds(),
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: content === '' && (toolCalls.length > 0 || refusal !== '') ? null : content,
          ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
          ...(reasoningDetails.length === 0 ? {} : { reasoning_details: [...reasoningDetails] }),
          ...(refusal === '' ? {} : { refusal }),
          ...(images.length === 0 ? {} : { images: [...images] }),
          ...(toolCalls.length === 0 ? {} : { tool_calls: [...toolCalls] }),
        },
        finish_reason: answer.finishReason ?? 'stop',
        ...toLogProbabilities(answer.logProbabilities),
      },
    ],
    ...(usage ? { usage } : {}),
  }
}
