import { endpoints } from '#contract/endpoints.ts'
import { httpRoute, route, type Route } from '../lib/http.ts'
import type { CompletionsParts } from './completions-parts.ts'
import { completeChat } from './follow-up/outlet.ts'
import { runAction } from './follow-up/run-action.ts'
import { runCompletion } from './run-completion.ts'

export function createRoutes(parts: CompletionsParts): readonly Route[] {
  const { completions } = endpoints
  return [
    httpRoute(completions.chatCompletions, (call) => runCompletion(parts, call)),
    route(completions.completed, (call) => completeChat(parts, call)),
    httpRoute(completions.action, (call) => runAction(parts, call)),
  ]
}
