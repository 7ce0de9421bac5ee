import { endpoints } from '#contract/endpoints.ts'
import { httpRoute, type Route } from '../../lib/http.ts'
import { answerMessages, countTokens } from './messages/answer-messages.ts'
import { answerResponses } from './responses/answer-responses.ts'
import type { DialectParts } from './stateless-call.ts'
import { answerText } from './text/answer-text.ts'

/** Creates the endpoints of the other dialects, which are stateless views of the same pipeline. */
export function createDialectRoutes(parts: DialectParts): readonly Route[] {
  const { messages, responses, textCompletions } = endpoints
  return [
    httpRoute(messages.countTokens, (call) => countTokens(parts, call)),
    httpRoute(messages.create, (call) => answerMessages(parts, call)),
    httpRoute(responses.create, (call) => answerResponses(parts, call)),
    httpRoute(textCompletions.create, (call) => answerText(parts, call)),
  ]
}
