import type { Route } from '../lib/http.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'
import { Evaluations } from './evaluations.ts'
import { createEvaluationRoutes } from './routes.ts'
import { FeedbackStore } from './store.ts'

/** Builds the ratings of answers; no other part of the gateway uses them. */
export function createEvaluations(storage: Storage, users: Users): Route[] {
  const store = new FeedbackStore(storage)
  return createEvaluationRoutes({ evaluations: new Evaluations(storage, store), store, users })
}
