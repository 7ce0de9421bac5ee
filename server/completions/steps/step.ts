import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Caller } from '../../lib/http.ts'
import type { ResolvedModel } from '../../models/index.ts'

/** What a step may look at besides the request. */
export interface StepContext {
  readonly caller: Pick<Caller, 'name' | 'email'>
  readonly now: Date
  /** The model asked, with what its editors preset. */
  readonly resolved: Pick<ResolvedModel, 'preset'>
  /** Messages of the stored thread up to the question, oldest first; empty for a stateless call. */
  readonly thread: () => ChatCompletionRequest['messages']
  /** System prompts of the place of the conversation, such as its folder, and of features; templates, the first one in front. */
  readonly prompts?: () => readonly string[]
  /** Facts about the person that fit a question. */
  readonly recall?: (question: string) => readonly string[]
}

/** One change to a request on its way to the model; answers the same object when there is nothing to do. */
export type Step = (request: ChatCompletionRequest, context: StepContext) => ChatCompletionRequest
