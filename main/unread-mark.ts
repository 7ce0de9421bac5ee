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

/** How far downloads are, in the taskbar or dock: that of the app itself, else those of models. */
export class TaskbarProgress {
  readonly #window: BrowserWindow
  readonly #shares: Record<'app' | 'models', number | null> = { app: null, models: null }

  constructor(window: BrowserWindow) {
    this.#window = window
  }

  /** Null when nothing of the kind is under way. */
  set(kind: 'app' | 'models', share: number | null): void {
    if (this.#shares[kind] === share) return
    this.#shares[kind] = share
    const { app: ofApp, models } = this.#shares
    if (!this.#window.isDestroyed()) this.#window.setProgressBar(ofApp ?? models ?? NO_PROGRESS)
  }
}
