import { endpoints } from '#contract/endpoints.ts'
import { route, type Route } from '../lib/http.ts'
import type { Webhooks } from './index.ts'

export function createWebhookRoutes(webhooks: Pick<Webhooks, 'describe' | 'update' | 'test'>): Route[] {
  return [
    route(endpoints.webhooks.gateway, () => webhooks.describe(null)),
    route(endpoints.webhooks.updateGateway, ({ body }) => webhooks.update(null, body)),
    route(endpoints.webhooks.testGateway, ({ signal }) => webhooks.test(null, signal)),
    route(endpoints.webhooks.own, ({ caller }) => webhooks.describe(caller.userId)),
    route(endpoints.webhooks.updateOwn, ({ caller, body }) => webhooks.update(caller.userId, body)),
    route(endpoints.webhooks.testOwn, ({ caller, signal }) => webhooks.test(caller.userId, signal)),
  ]
}
