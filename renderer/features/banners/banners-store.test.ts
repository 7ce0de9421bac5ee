// @vitest-environment jsdom
import '../../testing/browser-features.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Banner } from '#contract/configs.ts'
import { fakeGateway, refusal } from '../../testing/fake-gateway.ts'
import { createBannersStore, dismissBanner, loadBanners, visibleBanners } from './banners-store.ts'

const banner: Banner = {
  id: 'b1',
  type: 'info',
  title: '',
  content: 'Hello',
  dismissible: true,
  timestamp: 5,
}
const LIST = 'GET /api/v1/configs/banners'

beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

test('a banner that was put away stays away in this browser until it changes', async () => {
  const gateway = fakeGateway({ [LIST]: [banner] })
  const store = createBannersStore()
  await loadBanners(store)
  expect(visibleBanners(store.getState())).toEqual([banner])
  dismissBanner(store, banner)
  expect(visibleBanners(store.getState())).toEqual([])
  const later = createBannersStore()
  await loadBanners(later)
  expect(visibleBanners(later.getState())).toEqual([])
  gateway.answers = { [LIST]: [{ ...banner, timestamp: 6 }] }
  await loadBanners(later)
  expect(visibleBanners(later.getState())).toHaveLength(1)
})

test('what cannot be put away is always shown, and a failure shows nothing', async () => {
  fakeGateway({ [LIST]: [{ ...banner, dismissible: false }] })
  const store = createBannersStore()
  await loadBanners(store)
  dismissBanner(store, banner)
  expect(visibleBanners(store.getState())).toHaveLength(1)
  fakeGateway({ [LIST]: refusal(500, 'No') })
  await loadBanners(store)
  expect(visibleBanners(store.getState())).toEqual([])
})
