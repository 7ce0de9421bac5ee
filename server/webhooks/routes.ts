import { endpoints } from '#contract/endpoints.ts'
import { route, type Route } from '../lib/http.ts'
import type { Webhooks } from './webhooks.ts'

export function createWebhookRoutes(webhooks: Webhooks): Route[] {
  const { events } = webhooks
  return [
    route(endpoints.webhooks.gateway, () => webhooks.describe(null)),
    route(endpoints.webhooks.updateGateway, ({ body }) => webhooks.update(null, body)),
    route(endpoints.webhooks.testGateway, ({ signal }) => webhooks.test(null, signal)),
    route(endpoints.webhooks.own, ({ caller }) => webhooks.describe(caller.userId)),
    route(endpoints.webhooks.updateOwn, ({ caller, body }) => webhooks.update(caller.userId, body)),
    route(endpoints.webhooks.testOwn, ({ caller, signal }) => webhooks.test(caller.userId, signal)),
    route(endpoints.eventWebhooks.catalogue, () => events.catalogue()),
    route(endpoints.eventWebhooks.list, () => events.list()),
    route(endpoints.eventWebhooks.create, ({ body }) => events.create(body)),
    route(endpoints.eventWebhooks.update, ({ params, body }) =>
      events.update(params.webhook_id, body),
    ),
    route(endpoints.eventWebhooks.remove, ({ params }) => events.remove(params.webhook_id)),
    route(endpoints.eventWebhooks.test, ({ caller, params, signal }) =>
      events.test(params.webhook_id, caller, signal),
    ),
  ]
}
