import { app, type BrowserWindow } from 'electron'

/** Value that hides the progress bar in the taskbar or dock. */
const NO_PROGRESS = -1

/** Unread count beside the app's icon, if the desktop supports it. */
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
   * Sets the number of unread chats and channels. Windows has no numeric badges, so there, as on
   * desktops without badges, the tray shows it.
   */
  set(unread: number): void {
    if (unread === this.#unread) return
    this.#unread = unread
    app.setBadgeCount(unread)
    this.#showInTray(unread)
  }
}

/** Download progress in the taskbar or dock: of the app itself, otherwise of models. */
export class TaskbarProgress {
  readonly #window: BrowserWindow
  readonly #shares: Record<'app' | 'models', number | null> = { app: null, models: null }

  constructor(window: BrowserWindow) {
    this.#window = window
  }

  /** Sets the progress; null if no such download is running. */
  set(kind: 'app' | 'models', share: number | null): void {
    if (this.#shares[kind] === share) return
    this.#shares[kind] = share
    const { app: ofApp, models } = this.#shares
    if (!this.#window.isDestroyed()) this.#window.setProgressBar(ofApp ?? models ?? NO_PROGRESS)
  }
}
