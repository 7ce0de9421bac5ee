import type { ModelPrice } from '#contract/model-prices.ts'
import type { Route } from '../lib/http.ts'
import type { Storage } from '../storage/index.ts'
import { Analytics } from './analytics.ts'
import { createAnalyticsRoutes } from './routes.ts'
import { AnalyticsStore } from './store.ts'

/** Builds the usage figures for administrators; no other part of the gateway uses them. */
export function createAnalytics(storage: Storage, prices: () => readonly ModelPrice[]): Route[] {
  const store = new AnalyticsStore(storage)
  return createAnalyticsRoutes(new Analytics(store, prices), store)
}
