import { endpoints } from '#contract/endpoints.ts'
import { httpRoute, route, type Route } from '../lib/http.ts'
import type { Analytics } from './analytics.ts'
import type { AnalyticsStore } from './store.ts'
import { writeTable } from './write-tables.ts'

const table = endpoints.analytics

export const createAnalyticsRoutes = (analytics: Analytics, store: AnalyticsStore): Route[] => [
  route(table.summary, ({ query }) => store.summary(query)),
  route(table.models, async ({ query }) => ({
    models: (await store.byModel(query)).map(({ model, count }) => ({ model_id: model, count })),
  })),
  route(table.users, async ({ query: { limit, ...range } }) => ({
    users: await analytics.people(range, limit),
  })),
  route(table.daily, async ({ query: { granularity, ...range } }) => ({
    data: await analytics.days(range, granularity === 'hourly' ? 'hourly' : 'daily'),
  })),
  route(table.tokens, ({ query }) => analytics.models(query)),
  route(table.messages, async ({ query: { skip, limit, ...filter } }) => {
    const { model_id: model, user_id: user, chat_id: chat } = filter
    return model || user || chat ? store.messages(filter, { skip, limit }) : []
  }),
  route(table.chats, ({ params, query: { skip, limit, ...span } }) =>
    store.chats(params.model_id, span, { skip, limit }),
  ),
  route(table.overview, ({ params, query }) => analytics.overview(params.model_id, query.days)),
  httpRoute(table.export, async ({ query: { table: name, ...range }, response }) => {
    const text = await writeTable(analytics, name, range)
    response.writeHead(200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="analytics-${name}.csv"`,
      'Cache-Control': 'no-store',
    })
    response.end(text)
  }),
]
