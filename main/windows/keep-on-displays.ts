import { BrowserWindow, screen } from 'electron'
import { isReachable, placeWindow, type DisplayArea } from './window-bounds.ts'

/** Returns the connected displays, the primary one first. */
export function listDisplays(): readonly DisplayArea[] {
  const primary = screen.getPrimaryDisplay()
  return [primary, ...screen.getAllDisplays().filter(({ id }) => id !== primary.id)]
}

/**
 * Moves windows that are no longer reachable onto a display; hidden, minimised and full-screen ones
 * are not changed.
 */
function bringBack(): void {
  const displays = listDisplays()
  for (const window of BrowserWindow.getAllWindows()) {
    if (!window.isVisible() || window.isMinimized() || window.isFullScreen()) continue
    const bounds = window.getBounds()
    if (!isReachable(bounds, displays)) window.setBounds(placeWindow(bounds, displays))
  }
}

/** Handles displays that are disconnected or resized while the app runs. */
export function keepOnDisplays(): void {
  screen.on('display-removed', bringBack)
  screen.on('display-metrics-changed', bringBack)
}
