import { endpoints } from '#contract/endpoints.ts'
import { httpRoute, route, type Route } from '../lib/http.ts'
import type { StoredAutomations } from './stored-automations.ts'
import type { IncomingCalls } from './incoming-calls.ts'

const table = endpoints.automations

export const createAutomationRoutes = (
  manage: StoredAutomations,
  calls: IncomingCalls,
): Route[] => [
  route(table.list, ({ caller, query }) => manage.list(caller, query)),
  route(table.create, ({ caller, body }) => manage.create(caller, body)),
  route(table.preview, ({ caller, body }) => manage.preview(caller, body)),
  httpRoute(table.receive, ({ params, body, request }) => calls.run(params, body, request)),
  route(table.get, ({ caller, params }) => manage.get(caller, params.automation_id)),
  route(table.update, ({ caller, params, body }) =>
    manage.update(caller, params.automation_id, body),
  ),
  route(table.toggle, ({ caller, params }) => manage.toggle(caller, params.automation_id)),
  route(table.run, ({ caller, params }) => manage.run(caller, params.automation_id)),
  route(table.cancel, ({ caller, params }) => manage.cancel(caller, params.automation_id)),
  route(table.runs, ({ caller, params, query }) =>
    manage.listRuns(caller, params.automation_id, query),
  ),
  route(table.createAddress, ({ caller, params }) =>
    manage.createAddress(caller, params.automation_id),
  ),
  route(table.removeAddress, ({ caller, params }) =>
    manage.removeAddress(caller, params.automation_id),
  ),
  route(table.remove, ({ caller, params }) => manage.remove(caller, params.automation_id)),
]
