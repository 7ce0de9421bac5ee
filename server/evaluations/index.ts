import type { FeedbackInput, FullFeedback } from '#contract/evaluations.ts'
import { checkPlainJson } from '../lib/check-plain-json.ts'
import { badRequest, notFound, tooLarge } from '../lib/errors.ts'
import type { Caller, Route } from '../lib/http.ts'
import { newId, nowSeconds } from '../lib/ids.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'
import { createEvaluationRoutes } from './routes.ts'
import { createFeedbackStore } from './store.ts'

/**
 * Ratings of answers (reference §10.4). People see their own, administrators all; 404 for missing
 * and foreign ones.
 */
export interface Evaluations {
  create(caller: Caller, input: FeedbackInput): FullFeedback
  get(caller: Caller, id: string): FullFeedback
  /** Parts that are not named stay. */
  update(caller: Caller, id: string, changes: Partial<FeedbackInput>): FullFeedback
  remove(caller: Caller, id: string): void
  readonly routes: readonly Route[]
}

/** What the domain is built from. */
export interface EvaluationsDependencies {
  readonly storage: Storage
  readonly users: Pick<Users, 'get'>
}

const MOST_RATINGS = 10_000
/** Of what stands beside the snapshot. */
const LARGEST_BYTES = 128 * 1024

function checkRating({ data, meta, snapshot }: Partial<FeedbackInput>): void {
  checkPlainJson([data, meta, snapshot], 'The rating')
  if (Buffer.byteLength(JSON.stringify([data, meta])) > LARGEST_BYTES)
    throw tooLarge(`A rating may have ${LARGEST_BYTES} bytes.`)
}

/** Builds the domain on the table of `0011-evaluations`. */
export function createEvaluations({ storage, users }: EvaluationsDependencies): Evaluations {
  const store = createFeedbackStore(storage)

  function require(caller: Caller, id: string): FullFeedback {
    const feedback = store.get(id)
    if (!feedback || (feedback.user_id !== caller.userId && caller.role !== 'admin'))
      throw notFound('There is no such rating.')
    return feedback
  }

  const evaluations: Omit<Evaluations, 'routes'> = {
    create(caller, input) {
      checkRating(input)
      if (store.count(caller.userId) >= MOST_RATINGS)
        throw badRequest(`You have given ${MOST_RATINGS} ratings. Take some back first.`)
      const now = nowSeconds()
      const feedback = {
        id: newId(),
        user_id: caller.userId,
        version: 0,
        type: input.type,
        data: input.data ?? {},
        meta: input.meta ?? {},
        snapshot: input.snapshot ?? null,
        created_at: now,
        updated_at: now,
      }
      store.insert(feedback)
      return feedback
    },
    get: require,
    update(caller, id, { type, data, meta, snapshot }) {
      checkRating({ data, meta, snapshot })
      const before = require(caller, id)
      const parts = { ...(data && { data }), ...(meta && { meta }), ...(snapshot && { snapshot }) }
      const feedback = { ...before, ...parts, type: type ?? before.type, updated_at: nowSeconds() }
      store.update(feedback)
      return feedback
    },
    remove(caller, id) {
      require(caller, id)
      store.remove(id)
    },
  }
  return { ...evaluations, routes: createEvaluationRoutes({ evaluations, store, users }) }
}
