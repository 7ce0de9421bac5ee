// @vitest-environment jsdom
import '../../testing/browser-features.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeGateway, refusal } from '../../testing/fake-gateway.ts'
import {
  changeAppearance,
  changePreferences,
  createPreferencesStore,
  loadPreferences,
} from './preferences-store.ts'

const READ = 'GET /api/v1/users/user/settings'
const WRITE = 'POST /api/v1/users/user/settings/update'

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a change shows at once, is kept in this browser, and is saved once for several in a row', async () => {
  const gateway = fakeGateway({
    [READ]: { ui: { welcomed: true, notes: 1 }, other: 2 },
    [WRITE]: {},
  })
  const store = createPreferencesStore()
  await loadPreferences(store)
  changeAppearance(store, { theme: 'dark' })
  changeAppearance(store, { textScale: 125 })
  expect(document.documentElement.dataset.theme).toBe('dark')
  expect(document.documentElement.style.getPropertyValue('--text-scale')).toBe('1.25')
  await vi.advanceTimersByTimeAsync(1000)
  const writes = gateway.calls.filter((call) => call.method === 'POST')
  expect(writes).toHaveLength(1)
  // The gateway keeps the fields beside `ui` that are not sent.
  expect(writes[0]?.body).toEqual({
    ui: {
      notes: 1,
      welcomed: true,
      appearance: expect.objectContaining({ theme: 'dark', textScale: 125 }) as unknown,
    },
  })
  expect(createPreferencesStore().getState().appearance.theme).toBe('dark')
})

test('settings that make no sense are read as defaults', async () => {
  fakeGateway({
    [READ]: {
      ui: { appearance: { theme: 'pink', textScale: 999, column: '960' }, language: 'tlh' },
    },
  })
  const store = createPreferencesStore()
  await loadPreferences(store)
  expect(store.getState()).toMatchObject({
    welcomed: false,
    language: null,
    appearance: { theme: 'system', textScale: 100, column: '960', density: 'comfortable' },
  })
})

test('a change that could not be saved is told', async () => {
  fakeGateway({ [READ]: null, [WRITE]: refusal(507, 'The disk is full.') })
  const store = createPreferencesStore()
  await loadPreferences(store)
  const told = vi.fn()
  changePreferences(store, { welcomed: true }, told)
  await vi.advanceTimersByTimeAsync(1000)
  expect(told).toHaveBeenCalledWith(expect.objectContaining({ message: 'The disk is full.' }))
})

test('the address of a webhook that was changed elsewhere meanwhile stays', async () => {
  const gateway = fakeGateway({
    [READ]: { ui: { notifications: { webhook_url: 'https://example.org/old' } } },
    [WRITE]: {},
  })
  const store = createPreferencesStore()
  await loadPreferences(store)
  gateway.answers[READ] = { ui: { notifications: { webhook_url: 'https://example.org/new' } } }
  changeAppearance(store, { theme: 'dark' })
  await vi.advanceTimersByTimeAsync(1000)
  const write = gateway.calls.find(({ method }) => method === 'POST')
  expect(write?.body).toMatchObject({
    ui: { notifications: { webhook_url: 'https://example.org/new' } },
  })
})

test('what another window changed meanwhile stays', async () => {
  const gateway = fakeGateway({ [READ]: { ui: { sendLinks: false } }, [WRITE]: {} })
  const store = createPreferencesStore()
  await loadPreferences(store)
  gateway.answers[READ] = { ui: { sendLinks: true, memory: false, pinnedModels: ['a'] } }
  changeAppearance(store, { theme: 'dark' })
  await vi.advanceTimersByTimeAsync(1000)
  expect(gateway.calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
    ui: { sendLinks: true, memory: false, pinnedModels: ['a'], appearance: { theme: 'dark' } },
  })
})

test('a change that could not be saved goes with the next one', async () => {
  const gateway = fakeGateway({ [READ]: { ui: {} }, [WRITE]: refusal(507, 'The disk is full.') })
  const store = createPreferencesStore()
  await loadPreferences(store)
  changePreferences(store, { usesMemories: false })
  await vi.advanceTimersByTimeAsync(1000)
  gateway.answers[WRITE] = {}
  changePreferences(store, { sendsLinks: true })
  await vi.advanceTimersByTimeAsync(1000)
  expect(gateway.calls.filter(({ method }) => method === 'POST').at(-1)?.body).toEqual({
    ui: { memory: false, sendLinks: true },
  })
})
