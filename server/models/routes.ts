import type { ModelInfo } from '#contract/models.ts'
import { endpoints } from '#contract/endpoints.ts'
import { route, type Caller, type Route } from '../lib/http.ts'
import type { Models } from './index.ts'

export function createModelRoutes(models: Pick<Models, 'list'> & { info: (caller: Caller, id: string) => Promise<ModelInfo> }): Route[] {
  return [
    route(endpoints.models.list, async ({ caller, query }) => ({
      object: 'list' as const,
      data: await models.list(caller, { refresh: query.refresh ?? false }),
    })),
    route(endpoints.models.info, ({ caller, query }) => models.info(caller, query.id)),
  ]
}
