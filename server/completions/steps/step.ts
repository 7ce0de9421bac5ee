import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Caller } from '../../lib/http.ts'

/** What a step may look at besides the request. */
export interface StepContext {
  readonly caller: Pick<Caller, 'name' | 'email'>
  readonly now: Date
  /** Messages of the stored thread up to the question, oldest first; empty for a stateless call. */
  readonly thread: () => ChatCompletionRequest['messages']
}

/** One change to a request on its way to the model; answers the same object when there is nothing to do. */
export type Step = (request: ChatCompletionRequest, context: StepContext) => ChatCompletionRequest
