import { flatMapInOrder, mapInOrder } from '../lib/in-order.ts'
import type { Feedback, FullFeedback, RatedItem } from '#contract/evaluations.ts'
import { endpoints } from '#contract/endpoints.ts'
import { notFound } from '../lib/errors.ts'
import { asJsonPieces, route, type Route } from '../lib/http.ts'
import { nowSeconds } from '../lib/ids.ts'
import { toJsonArray } from '../lib/json/json-array.ts'
import { nextTurn, runInTurns } from '../lib/turns.ts'
import type { Users } from '../users/index.ts'
import type { Evaluations } from './evaluations.ts'
import { countByDay, rankModels } from './leaderboard.ts'
import type { FeedbackStore } from './store.ts'

interface RouteParts {
  readonly evaluations: Evaluations
  readonly store: FeedbackStore
  readonly users: Pick<Users, 'get'>
}

const PAGE_SIZE = 30
const HISTORY_DAYS = 30
const table = endpoints.evaluations

/** Yields the JSON of ratings one by one; those deleted meanwhile are left out. */
async function* readTexts(
  ids: readonly string[],
  read: (id: string) => Promise<string | null>,
): AsyncGenerator<string> {
  for (const id of ids) {
    const text = await read(id)
    if (text !== null) yield text
  }
}

/** Yields all ratings one by one, oldest first. */
async function* readAll(store: RouteParts['store']): AsyncGenerator<Feedback> {
  for (const { id } of await store.ids()) {
    const feedback = await store.read(id)
    if (feedback) yield feedback
  }
}

/** Deletes all ratings of a user, or of all users. */
async function* removeInSteps(
  store: RouteParts['store'],
  userId: string | null,
): AsyncGenerator<void, void> {
  while (await store.removeOne(userId)) yield
}

/**
 * A rating may hold a long chat: storing it and sending it each take a separate turn of the event
 * loop.
 */
async function inOwnTurn(written: Promise<FullFeedback>): Promise<FullFeedback> {
  const feedback = await written
  await nextTurn()
  return feedback
}

export const createEvaluationRoutes = (parts: RouteParts): Route[] => [
  ...createOwnRoutes(parts),
  ...createAdminRoutes(parts),
]

function createOwnRoutes({ evaluations, store }: RouteParts): Route[] {
  return [
    route(table.createFeedback, async ({ caller, body }) =>
      inOwnTurn(evaluations.create(caller, body)),
    ),
    route(table.getFeedback, ({ caller, params }) => evaluations.get(caller, params.feedback_id)),
    route(table.updateFeedback, async ({ caller, params, body }) =>
      inOwnTurn(evaluations.update(caller, params.feedback_id, body)),
    ),
    route(table.removeFeedback, async ({ caller, params }) => {
      await evaluations.remove(caller, params.feedback_id)
      return true as const
    }),
    route(table.ownFeedbacks, async ({ caller, query }) => {
      const start = ((query.page ?? 1) - 1) * PAGE_SIZE
      const ids = await store.idsOfUser(caller.userId)
      return {
        items: await flatMapInOrder(
          ids.slice(start, start + PAGE_SIZE),
          async (id) => (await store.read(id)) ?? [],
        ),
        total: ids.length,
      }
    }),
    route(table.removeOwnFeedbacks, async ({ caller }) => {
      await runInTurns(removeInSteps(store, caller.userId))
      return true as const
    }),
  ]
}

function createAdminRoutes({ store, users }: RouteParts): Route[] {
  async function authorOf(userId: string): Promise<RatedItem['user']> {
    const user = await users.get(userId)
    if (!user) return null
    const { id, name, role, email, profile_image_url, created_at, updated_at } = user
    return {
      id,
      name,
      role,
      email,
      profile_image_url,
      last_active_at: user.last_active_at ?? created_at,
      created_at,
      updated_at,
    }
  }
  return [
    route(table.listFeedbacks, async ({ query }) => {
      const { items, total } = await store.page({
        modelId: query.model_id,
        orderBy: query.order_by || 'created_at',
        direction: query.direction || 'desc',
        offset: ((query.page ?? 1) - 1) * PAGE_SIZE,
        limit: PAGE_SIZE,
      })
      return {
        items: await mapInOrder(items, async (feedback) => ({
          ...feedback,
          user: await authorOf(feedback.user_id),
        })),
        total,
      }
    }),
    route(table.feedbackIds, () => store.ids()),
    route(table.exportFeedbacks, async () =>
      asJsonPieces<FullFeedback[]>(
        toJsonArray(
          readTexts(
            (await store.ids()).map(({ id }) => id),
            (id) => store.readText(id),
          ),
        ),
      ),
    ),
    route(table.removeAllFeedbacks, async () => {
      await runInTurns(removeInSteps(store, null))
      return true as const
    }),
    route(table.ratedModels, () => store.modelIds()),
    route(table.leaderboard, async ({ query }) => ({
      entries: await runInTurns(rankModels(readAll(store), query.query)),
    })),
    route(table.history, async ({ params, query }) => {
      const feedbacks = await store.timesOfModel(params.model_id)
      if (feedbacks.length === 0) throw notFound('This model was never rated.')
      return {
        model_id: params.model_id,
        history: countByDay(feedbacks, { days: query.days ?? HISTORY_DAYS, now: nowSeconds() }),
      }
    }),
  ]
}
