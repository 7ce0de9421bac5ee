import { app, type BrowserWindow } from 'electron'

/** A bar in the taskbar or dock for one thing that is on its way. */
const NO_PROGRESS = -1

/** What the desktop shows beside the icon of the app, where it has a place for it. */
export class UnreadMark {
  readonly #showInTray: (unread: number) => void
  #unread = 0

  constructor(showInTray: (unread: number) => void) {
    this.#showInTray = showInTray
  }

  get unread(): number {
    return this.#unread
  }

  /**
   * How many chats and channels hold something new. Windows has no numbers on icons, so there as on
   * desktops without a badge the tray says it.
   */
  set(unread: number): void {
    if (unread === this.#unread) return
    this.#unread = unread
    app.setBadgeCount(unread)
    this.#showInTray(unread)
  }
}

/** How far a download of the app is, in the taskbar or dock; null when there is none. */
export function showProgress(window: BrowserWindow, share: number | null): void {
  if (!window.isDestroyed()) window.setProgressBar(share ?? NO_PROGRESS)
}
