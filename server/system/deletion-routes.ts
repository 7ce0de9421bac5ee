import { endpoints } from '#contract/endpoints.ts'
import { route, type Route } from '../lib/http.ts'
import type { Storage } from '../storage/index.ts'

/** How far deletions are: administrators see all, everybody else those of their own things. */
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
