import { app, type BrowserWindow } from 'electron'
import type { Logger } from '../profile/log.ts'
import type { ShellStateStore } from '../profile/shell-state.ts'

const CRASH_WINDOW = 60_000
const PAGE_CRASH_LIMIT = 5
const GRAPHICS_CRASH_LIMIT = 3

/** Creates a counter of the last minute's events. */
export function createCrashCounter(
  limit: number,
  now: () => number = () => performance.now(),
): () => boolean {
  let times: number[] = []
  return () => {
    const time = now()
    times = [...times.filter((earlier) => time - earlier < CRASH_WINDOW), time]
    return times.length >= limit
  }
}

/** Reloads a page whose process crashed; the page keeps drafts, the gateway everything else. */
export function reloadAfterCrash(window: BrowserWindow, log: Logger): void {
  const isLoop = createCrashCounter(PAGE_CRASH_LIMIT)
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    log.error({ reason, exitCode }, 'the page crashed')
    if (reason !== 'clean-exit' && !isLoop() && !window.isDestroyed()) window.webContents.reload()
  })
}

/**
 * After repeated crashes of the graphics process, restarts without hardware acceleration and stores
 * that setting.
 */
export function watchGraphics(state: ShellStateStore, restartApp: () => void, log: Logger): void {
  const isLoop = createCrashCounter(GRAPHICS_CRASH_LIMIT)
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (type !== 'GPU' || reason === 'clean-exit') return
    log.error({ reason, exitCode }, 'the graphics process crashed')
    if (!isLoop() || !state.current.usesGraphicsCard) return
    state.update({ usesGraphicsCard: false })
    restartApp()
  })
}
