import { endpoints } from '#contract/endpoints.ts'
import { asJsonList, route, type Route } from '../lib/http.ts'
import type { Memories } from './memories.ts'

export function createMemoryRoutes(memories: Memories): Route[] {
  return [
    route(endpoints.memories.list, ({ caller }) => asJsonList(memories.list(caller.userId))),
    route(endpoints.memories.add, ({ caller, body }) => memories.add(caller.userId, body.content)),
    route(endpoints.memories.query, async ({ caller, body, signal }) => {
      const hits = await memories.findByMeaning(caller.userId, body.content, {
        limit: body.k ?? 1,
        signal,
      })
      return {
        ids: [hits.map(({ id }) => id)],
        documents: [hits.map(({ content }) => content)],
        metadatas: [hits.map(({ created_at, updated_at }) => ({ created_at, updated_at }))],
        distances: [hits.map(({ distance }) => distance)],
      }
    }),
    route(endpoints.memories.reset, ({ caller }) => memories.indexAgain(caller.userId)),
    route(endpoints.memories.update, ({ caller, params, body }) =>
      memories.update(caller.userId, params.memory_id, body.content),
    ),
    route(endpoints.memories.removeAll, ({ caller }) => memories.removeAll(caller.userId)),
    route(endpoints.memories.remove, ({ caller, params }) =>
      memories.remove(caller.userId, params.memory_id),
    ),
  ]
}
