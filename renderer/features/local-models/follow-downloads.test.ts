import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { EngineState, ModelDownload } from '#contract/engine.ts'
import type { DesktopBridge } from '#desktop'
import { followDownloads, shareOf } from './follow-downloads.ts'
import { createLocalModelsStore } from './local-models-store.ts'

const download = (change: Partial<ModelDownload>): ModelDownload => ({
  id: 'd',
  name: 'small',
  address: 'https://example.org/small.gguf',
  status: 'running',
  completed: 0,
  total: 100,
  bytes_per_second: 1,
  error: null,
  ...change,
})
const engineWith = (...downloads: ModelDownload[]): EngineState => ({
  enabled: true,
  folder: '/models',
  memory: { total: 1, free: 1 },
  disk_free: 1,
  models: [],
  downloads,
  offered: [],
  folders: [],
  cuda: null,
})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('counts downloads under way together, and those alone', () => {
  const small = download({ completed: 50 })
  const large = download({ completed: 100, total: 300 })
  expect(shareOf({ engine: engineWith(small, large) })).toBe(0.375)
  expect(shareOf({ engine: engineWith(download({ status: 'paused' })) })).toBeNull()
  expect(shareOf({ engine: engineWith(download({ total: null })) })).toBeNull()
  expect(shareOf({ engine: null })).toBeNull()
})

it('shows the desktop each change, and looks again until the download is over', async () => {
  const request = vi.fn(() => Promise.resolve({}))
  const fetch = vi.fn(() => Promise.resolve(Response.json(engineWith())))
  vi.stubGlobal('fetch', fetch)
  const bridge = { request } as unknown as DesktopBridge
  const store = followDownloads(createLocalModelsStore(), bridge)
  store.setState({ engine: engineWith(download({ completed: 25 })) })
  store.setState({ engine: engineWith(download({ completed: 25 })) })
  await vi.advanceTimersByTimeAsync(2000)
  expect(fetch).toHaveBeenCalledTimes(1)
  expect(request.mock.calls).toEqual([
    ['window.setMarks', { downloads: 0.25 }],
    ['window.setMarks', { downloads: null }],
  ])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(fetch).toHaveBeenCalledTimes(1)
})
