import { endpoints } from '#contract/endpoints.ts'
import { route, type Route } from '../lib/http.ts'
import type { Storage } from '../storage/index.ts'

/**
 * Creates the route for the progress of deletions: administrators see all, other users only their
 * own.
 */
export const createDeletionRoutes = ({ deletions }: Storage): Route[] => [
  route(endpoints.deletions.list, async ({ caller }) =>
    (await deletions.list())
      .filter(({ owner }) => caller.role === 'admin' || owner === caller.userId)
      .map(({ id, kind, title, total, left, created_at }) => ({
        id,
        kind,
        title,
        total,
        left,
        created_at,
      })),
  ),
]
