import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ModelPrice } from '#contract/model-prices.ts'
import { call, endpoints } from '../../api/client.ts'

/**
 * The price table; null until it was read, and where it cannot be read: then nothing is said about
 * cost.
 */
export type PricesStore = StoreApi<{ readonly prices: readonly ModelPrice[] | null }>

export const createPricesStore = (): PricesStore => createStore(() => ({ prices: null }))

/** The table of this window. */
export const pricesStore = createPricesStore()

/** Reads the table anew, since an administrator may have changed it. */
export async function loadPrices(store: PricesStore): Promise<void> {
  try {
    store.setState({ prices: await call(endpoints.models.prices, {}) })
  } catch {
    // A conversation works without prices; the next chat that opens asks again.
    store.setState({ prices: null })
  }
}
