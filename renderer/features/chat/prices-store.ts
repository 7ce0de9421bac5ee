import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ModelPrice } from '#contract/model-prices.ts'
import { call, endpoints } from '../../api/client.ts'

/**
 * The price table; null until it is loaded or if it cannot be loaded, in which case no costs are
 * shown.
 */
export type PricesStore = StoreApi<{ readonly prices: readonly ModelPrice[] | null }>

export const createPricesStore = (): PricesStore => createStore(() => ({ prices: null }))

/** The price store of this window. */
export const pricesStore = createPricesStore()

/** Reloads the table, since an administrator may have changed it. */
export async function loadPrices(store: PricesStore): Promise<void> {
  try {
    store.setState({ prices: await call(endpoints.models.prices, {}) })
  } catch {
    // A conversation works without prices; opening the next chat tries again.
    store.setState({ prices: null })
  }
}
