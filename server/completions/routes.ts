import { endpoints } from '#contract/endpoints.ts'
import { route, type Route } from '../lib/http.ts'
import type { CompletionCall } from './deliver.ts'
import { explainDepth } from './explain-depth.ts'

export function createRoutes(runCompletion: (call: CompletionCall) => Promise<unknown>): readonly Route[] {
  const handler = (call: CompletionCall) =>
    runCompletion(call).catch((error: unknown) => {
      throw explainDepth(error)
    })
  return [route(endpoints.completions.chatCompletions, handler)]
}
