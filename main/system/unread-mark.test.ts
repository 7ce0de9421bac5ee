import type { BrowserWindow } from 'electron'
import { expect, test, vi } from 'vitest'
import { TaskbarProgress, UnreadMark } from './unread-mark.ts'

const { setBadgeCount } = vi.hoisted(() => ({ setBadgeCount: vi.fn() }))
vi.mock('electron', () => ({ app: { setBadgeCount } }))

test('what is unread is shown beside the icon and in the tray, once for each change', () => {
  const showInTray = vi.fn()
  const mark = new UnreadMark(showInTray)
  for (const unread of [0, 2, 2, 0]) mark.set(unread)
  expect(setBadgeCount.mock.calls).toEqual([[2], [0]])
  expect(showInTray.mock.calls).toEqual([[2], [0]])
  expect(mark.unread).toBe(0)
})

test('a download is a bar in the taskbar until it is over, and none on a window that is gone', () => {
  const setProgressBar = vi.fn()
  const window = (isGone: boolean) =>
    ({ isDestroyed: () => isGone, setProgressBar }) as unknown as BrowserWindow
  const progress = new TaskbarProgress(window(false))
  progress.set('app', 0.5)
  progress.set('app', null)
  new TaskbarProgress(window(true)).set('app', 0.9)
  expect(setProgressBar.mock.calls).toEqual([[0.5], [-1]])
})

test('the download of the app itself is shown before those of models, and each state once', () => {
  const setProgressBar = vi.fn()
  const window = { isDestroyed: () => false, setProgressBar } as unknown as BrowserWindow
  const progress = new TaskbarProgress(window)
  progress.set('models', 0.2)
  progress.set('models', 0.2)
  progress.set('app', 0.7)
  progress.set('models', 0.3)
  progress.set('app', null)
  progress.set('models', null)
  expect(setProgressBar.mock.calls).toEqual([[0.2], [0.7], [0.7], [0.3], [-1]])
})
