import { endpoints } from '#contract/endpoints.ts'
import { route, type Route } from '../../lib/http.ts'
import { answerMessages, countTokens } from './messages/answer-messages.ts'
import { answerResponses } from './responses/answer-responses.ts'
import type { DialectParts } from './stateless-call.ts'
import { answerText } from './text/answer-text.ts'

/** The endpoints of the other dialects, which are stateless views of the same pipeline. */
export function createDialectRoutes(parts: DialectParts): readonly Route[] {
  const { messages, responses, textCompletions } = endpoints
  return [
    route(messages.countTokens, (call) => countTokens(parts, call)),
    route(messages.create, (call) => answerMessages(parts, call)),
    route(responses.create, (call) => answerResponses(parts, call)),
    route(textCompletions.create, (call) => answerText(parts, call)),
  ]
}
