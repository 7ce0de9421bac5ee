import { endpoints } from '#contract/endpoints.ts'
import { httpRoute, route, type Route } from '../lib/http.ts'
import type { Checker } from './prompt-checks.ts'

const { promptChecks } = endpoints

export function createCheckRoutes(checker: Checker): Route[] {
  return [
    route(promptChecks.get, ({ caller, params }) => checker.get(caller, params.prompt_id)),
    route(promptChecks.save, ({ caller, params, body }) =>
      checker.save(caller, params.prompt_id, body),
    ),
    httpRoute(promptChecks.run, ({ caller, params, body, response, signal }) =>
      checker.run(caller, { id: params.prompt_id, run: body }, { response, signal }),
    ),
  ]
}
