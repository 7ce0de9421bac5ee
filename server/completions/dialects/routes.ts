import { endpoints } from '#contract/endpoints.ts'
import { route, type Route } from '../../lib/http.ts'
import { answerMessages, countTokens } from './messages/answer-messages.ts'
import { answerResponses } from './responses/answer-responses.ts'
import type { DialectParts } from './stateless-call.ts'

/** The endpoints of the other dialects, which are stateless views of the same pipeline. */
export function createDialectRoutes(parts: DialectParts): readonly Route[] {
  const { messages, responses } = endpoints
  return [
    route(messages.countTokens, (call) => countTokens(parts, call)),
    route(messages.create, (call) => answerMessages(parts, call)),
    route(responses.create, (call) => answerResponses(parts, call)),
  ]
}
