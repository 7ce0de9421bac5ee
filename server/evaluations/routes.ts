import { mapInOrder } from '../lib/in-order.ts'
import type { Feedback, FullFeedback, RatedItem } from '#contract/evaluations.ts'
import { endpoints } from '#contract/endpoints.ts'
import { notFound } from '../lib/errors.ts'
import { asJsonPieces, route, type Route } from '../lib/http.ts'
import { nowSeconds } from '../lib/ids.ts'
import { toJsonArray } from '../lib/json/json-array.ts'
import { readInGroups } from '../lib/timing/read-in-groups.ts'
import { nextTurn, runInTurns } from '../lib/turns.ts'
import type { Users } from '../users/index.ts'
import type { Evaluations } from './evaluations.ts'
import { countByDay, rankModels } from './leaderboard.ts'
import type { FeedbackStore } from './store.ts'

interface RouteParts {
  readonly evaluations: Evaluations
  readonly store: FeedbackStore
  readonly users: Users
}

const PAGE_SIZE = 30
const HISTORY_DAYS = 30
const table = endpoints.evaluations

/** Yields the JSON of all ratings one by one; those deleted meanwhile are left out. */
async function* readTexts(store: RouteParts['store']): AsyncGenerator<string> {
  const ids = await store.sizedIds({ withSnapshots: true })
  for await (const { text } of readInGroups(ids, (some) => store.severalTexts(some))) yield text
}

/** Yields all ratings one by one, oldest first. */
async function* readAll(store: RouteParts['store']): AsyncGenerator<Feedback> {
  const ids = await store.sizedIds({ withSnapshots: false })
  yield* readInGroups(ids, (some) => store.several(some))
}

/** Returns ratings in the order of their ids; those deleted meanwhile are left out. */
async function inOrderOf(ids: readonly string[], store: RouteParts['store']): Promise<Feedback[]> {
  const found = new Map((await store.several(ids)).map((each) => [each.id, each]))
  return ids.flatMap((id) => found.get(id) ?? [])
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
    route(table.removeFeedback, ({ caller, params }) =>
      evaluations.remove(caller, params.feedback_id),
    ),
    route(table.ownFeedbacks, async ({ caller, query }) => {
      const start = ((query.page ?? 1) - 1) * PAGE_SIZE
      const ids = await store.idsOfUser(caller.userId)
      return {
        items: await inOrderOf(ids.slice(start, start + PAGE_SIZE), store),
        total: ids.length,
      }
    }),
    route(table.removeOwnFeedbacks, ({ caller }) =>
      runInTurns(removeInSteps(store, caller.userId)),
    ),
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
    route(table.exportFeedbacks, () => asJsonPieces<FullFeedback[]>(toJsonArray(readTexts(store)))),
    route(table.removeAllFeedbacks, () => runInTurns(removeInSteps(store, null))),
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
