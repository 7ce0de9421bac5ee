import { z } from './lazy-zod.ts'
import { doneSchema, idSchema, jsonObjectSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

/** Memory of the gateway about a user. Times are unix seconds. */
export const memorySchema = z
  .object({
    id: z.string(),
    user_id: z.string(),
    content: z.string(),
    created_at: z.int(),
    updated_at: z.int(),
  })
  .meta({ id: 'Memory' })
export type Memory = z.output<typeof memorySchema>

/**
 * Hits of one query, each list containing one list for the query; distances are from 0 to 1, higher
 * is better.
 */
export const memoryHitsSchema = z
  .object({
    ids: z.array(z.array(z.string())),
    documents: z.array(z.array(z.string())),
    metadatas: z.array(z.array(jsonObjectSchema)),
    distances: z.array(z.array(z.number())),
  })
  .meta({ id: 'MemoryHits' })

const shared = {
  tag: 'Memories',
  feature: 'ENABLE_MEMORIES',
  permission: 'features.memories',
} as const
const memoryParams = z.object({ memory_id: idSchema })
const contentBody = z
  .object({ content: z.string().trim().min(1).max(20_000) })
  .meta({ id: 'MemoryInput', example: { content: 'Prefers short answers.' } })

export const memoryEndpoints = defineEndpoints(
  { domain: 'memories', root: '/api/v1/memories', ...shared },
  {
    list: {
      method: 'GET',
      path: '/',
      response: z.array(memorySchema),
      errors: [403],
      summary: 'Own memories, the oldest first.',
    },
    add: {
      method: 'POST',
      path: '/add',
      body: contentBody,
      response: memorySchema,
      errors: [400, 403],
      summary: 'Stores a memory.',
    },
    query: {
      method: 'POST',
      path: '/query',
      body: z.object({
        content: z.string().max(20_000),
        k: z.int().min(1).max(100).nullish(),
      }),
      response: memoryHitsSchema,
      errors: [403],
      summary: 'The own memories that fit a text best; one without `k`.',
    },
    reset: {
      method: 'POST',
      path: '/reset',
      response: doneSchema,
      errors: [403],
      summary: 'Rebuilds the search index of the own memories; none is lost.',
    },
    update: {
      method: 'POST',
      path: '/:memory_id/update',
      params: memoryParams,
      body: contentBody,
      response: memorySchema,
      errors: [403, 404],
      summary: 'Changes a memory.',
    },
    removeAll: {
      method: 'DELETE',
      path: '/delete/user',
      response: doneSchema,
      errors: [403],
      summary: 'Deletes all own memories.',
    },
    remove: {
      method: 'DELETE',
      path: '/:memory_id',
      params: memoryParams,
      response: doneSchema,
      errors: [403, 404],
      summary: 'Deletes a memory.',
    },
  },
)
