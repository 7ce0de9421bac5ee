import type { BrowserWindow } from 'electron'
import { expect, test, vi } from 'vitest'
import { showProgress, UnreadMark } from './unread-mark.ts'

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
  showProgress(window(false), 0.5)
  showProgress(window(false), null)
  showProgress(window(true), 0.9)
  expect(setProgressBar.mock.calls).toEqual([[0.5], [-1]])
})
