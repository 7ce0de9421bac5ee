import { endpoints } from '#contract/endpoints.ts'
import type { ChatCompletion, ChatCompletionRequest } from '#contract/completions.ts'
import type { ModelQuestion } from '../extensions/model-question.ts'
import { parseInput } from '../lib/serving/parse-input.ts'
import { stripGatewayFields, type CompletionFrame } from '../providers/index.ts'
import type { CompletionsParts } from './completions-parts.ts'
import { createExchange } from './exchange.ts'
import { preparePreset } from './prepare/prepare.ts'

/**
 * Asks a model directly, with the preset of a workspace model but without filters, tools, sources
 * or memories. Throws 400 for a model that does not exist or is not accessible to the caller, and
 * for bodies that are not valid requests.
 */
export interface AskModel {
  complete(question: ModelQuestion): Promise<ChatCompletion>
  stream(question: ModelQuestion): AsyncGenerator<CompletionFrame, void, void>
}

export function createAskModel(allParts: CompletionsParts): AskModel {
  // Plugins receive none of the personal details users entered about themselves.
  const parts = { ...allParts, people: undefined }
  async function toCall({ origin, body, isBare }: ModelQuestion) {
    const sent = parseInput(
      endpoints.completions.chatCompletions.body,
      body,
      'body',
    ) as ChatCompletionRequest
    const found = await parts.models.resolve(origin.caller, sent.model)
    const resolved = isBare ? { ...found, preset: null } : found
    const { caller, signal } = origin
    const exchange = createExchange(parts, { caller, sent, resolved, turn: null, signal })
    const request = await preparePreset(parts, exchange)
    const call = {
      model: resolved.model.id,
      body: stripGatewayFields(request),
      signal: origin.signal,
      origin,
    }
    return { provider: resolved.provider, call }
  }
  return {
    async complete(question) {
      const { provider, call } = await toCall(question)
      return provider.complete(call)
    },
    async *stream(question) {
      const { provider, call } = await toCall(question)
      yield* provider.stream(call)
    },
  }
}
