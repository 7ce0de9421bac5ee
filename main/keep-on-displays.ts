import { BrowserWindow, screen } from 'electron'
import { isReachable, placeWindow, type DisplayArea } from './window-bounds.ts'

/** The displays there are, the primary one first. */
export function listDisplays(): readonly DisplayArea[] {
  const primary = screen.getPrimaryDisplay()
  return [primary, ...screen.getAllDisplays().filter(({ id }) => id !== primary.id)]
}

/** Brings back whatever nobody could reach any more; what is shown in any other way stays as it is. */
function bringBack(): void {
  const displays = listDisplays()
  for (const window of BrowserWindow.getAllWindows()) {
    if (!window.isVisible() || window.isMinimized() || window.isFullScreen()) continue
    const bounds = window.getBounds()
    if (!isReachable(bounds, displays)) window.setBounds(placeWindow(bounds, displays))
  }
}

/** Follows displays that are unplugged or change their size while the app runs. */
export function keepOnDisplays(): void {
  screen.on('display-removed', bringBack)
  screen.on('display-metrics-changed', bringBack)
}
