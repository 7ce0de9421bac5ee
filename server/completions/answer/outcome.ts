import type { AnswerPatch } from '../../chats/index.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { TaskStop } from '../../tasks/index.ts'
import type { Answer } from './answer.ts'

export type Outcome =
  | { kind: 'complete' }
  | { kind: 'stopped'; reason: TaskStop }
  | { kind: 'failed'; error: ServiceError }

const SHUTDOWN_SENTENCE =
  'The gateway was stopped while this answer was being written. What had arrived is kept.'

/** Returns the error stored with a message whose answer is incomplete. */
export function toMessageError(
  outcome: Outcome,
): { content: string; code: string; status?: number } | undefined {
  if (outcome.kind === 'failed')
    return {
      content: outcome.error.message,
      code: outcome.error.code,
      status: outcome.error.status,
      ...(outcome.error.reported?.code && { provider_code: outcome.error.reported.code }),
      ...outcome.error.facts,
    }
  if (outcome.kind !== 'stopped') return undefined
  return outcome.reason === 'user'
    ? { content: 'Stopped.', code: 'stopped' }
    : { content: SHUTDOWN_SENTENCE, code: 'shutdown' }
}

/** Returns the error for a reader of the reply; null if the user stopped the answer. */
export function toReaderError(outcome: Outcome): ServiceError | null {
  if (outcome.kind === 'failed') return outcome.error
  return outcome.kind === 'stopped' && outcome.reason === 'shutdown'
    ? new ServiceError(503, SHUTDOWN_SENTENCE, { code: 'shutdown' })
    : null
}

/** The model did not finish: it reached the length limit, or the provider withheld the rest. */
const isNoOrdinaryEnd = (reason: string | null): boolean =>
  reason === 'length' || reason === 'content_filter'

/** Returns the fields a growing answer updates in its stored message. */
export function toAnswerPatch(answer: Answer): AnswerPatch {
  const { content, reasoning, reasoningSeconds, usage, toolCalls, finishReason } = answer
  return {
    content,
    ...(reasoning === ''
      ? {}
      : { reasoning_content: reasoning, reasoning_seconds: reasoningSeconds ?? 0 }),
    ...(usage ? { usage } : {}),
    ...(isNoOrdinaryEnd(finishReason) && { finish_reason: finishReason }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  }
}
