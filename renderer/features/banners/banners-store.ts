import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Banner } from '#contract/configs.ts'
import { call, endpoints } from '../../api/client.ts'

export interface BannersState {
  readonly banners: readonly Banner[]
  /** Banners dismissed in this browser, as `id@timestamp`: a changed banner is shown again. */
  readonly dismissed: readonly string[]
}

export type BannersStore = StoreApi<BannersState>

const DISMISSED_KEY = 'dismissed-banners'
const MOST_REMEMBERED = 100

function readDismissed(): readonly string[] {
  const stored = localStorage.getItem(DISMISSED_KEY)
  return stored === null ? [] : stored.split('\n')
}

export const createBannersStore = (): BannersStore =>
  createStore<BannersState>(() => ({ banners: [], dismissed: readDismissed() }))

const keyOf = ({ id, timestamp }: Banner): string => `${id}@${timestamp}`

/** Returns the banners not dismissed in this browser. */
export const visibleBanners = ({ banners, dismissed }: BannersState): readonly Banner[] =>
  banners.filter((banner) => !banner.dismissible || !dismissed.includes(keyOf(banner)))

/** Loads the banners. They are optional, so a failure is ignored. */
export async function loadBanners(store: BannersStore): Promise<void> {
  try {
    store.setState({ banners: await call(endpoints.configs.banners, {}) })
  } catch {
    store.setState({ banners: [] })
  }
}

/** Dismisses a banner in this browser. */
export function dismissBanner(store: BannersStore, banner: Banner): void {
  const dismissed = [...store.getState().dismissed, keyOf(banner)].slice(-MOST_REMEMBERED)
  localStorage.setItem(DISMISSED_KEY, dismissed.join('\n'))
  store.setState({ dismissed })
}
