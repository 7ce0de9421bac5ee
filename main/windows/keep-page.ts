import type { BrowserWindow } from 'electron'
import type { Logger } from '../profile/log.ts'

const RETRY_DELAY = 1_000

export interface KeptPage {
  /** Loads the page unless it is loaded; called whenever the gateway is ready. */
  load(): Promise<void>
}

/**
 * Shows a path of the UI in a further window, whose session the main window signed in; reloads a
 * page that was lost.
 */
export function keepPage(
  window: BrowserWindow,
  { path, pageOrigin, log }: { path: string; pageOrigin: () => string | null; log: Logger },
): KeptPage {
  let loaded: string | null = null

  async function load(): Promise<void> {
    const origin = pageOrigin()
    if (window.isDestroyed() || origin === null || loaded === origin) return
    loaded = origin
    try {
      await window.loadURL(origin + path)
    } catch (error) {
      loaded = null
      log.warn({ error }, 'a further window could not be loaded yet')
    }
  }

  window.webContents.on('did-fail-load', (_event, code, ...[, , isMainFrame]) => {
    if (!isMainFrame || code === -3) return
    loaded = null
    setTimeout(() => void load(), RETRY_DELAY)
  })
  return { load }
}
