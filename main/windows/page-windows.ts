import type { BrowserWindow } from 'electron'
import { events, ipcChannels, type EventName, type EventPayload } from '#desktop'
import { offerContextMenu } from './context-menu.ts'
import { reloadAfterCrash } from './crash-recovery.ts'
import type { Logger } from '../profile/log.ts'
import { isOwnAddress, secureContents } from '../security/security.ts'
import type { ShellStateStore } from '../profile/shell-state.ts'

export interface PageWindowsDeps {
  /** Origin of the page, which stays the same while the gateway restarts. */
  readonly pageOrigin: () => string | null
  readonly onExternal: (url: string, window: BrowserWindow) => void
  readonly allowsDevTools: boolean
  readonly state: ShellStateStore
  readonly log: Logger
}

/** Keeps the zoom of pages, in every window and after a restart. */
function keepZoom(window: BrowserWindow, state: ShellStateStore): void {
  const { webContents } = window
  const keep = (): void => {
    const zoom = webContents.getZoomLevel()
    if (zoom !== state.current.zoom) state.remember({ zoom })
  }
  webContents.on('did-finish-load', () => webContents.setZoomLevel(state.current.zoom))
  window.on('blur', keep)
  window.on('close', keep)
}

/** All windows that show a page of the gateway; each is secured and watched in the same way. */
export class PageWindows {
  readonly #deps: PageWindowsDeps
  readonly #windows = new Set<BrowserWindow>()

  constructor(deps: PageWindowsDeps) {
    this.#deps = deps
  }

  add(window: BrowserWindow): void {
    const { pageOrigin, onExternal, allowsDevTools, state, log } = this.#deps
    this.#windows.add(window)
    window.once('closed', () => this.#windows.delete(window))
    secureContents(window.webContents, {
      pageOrigin,
      onExternal: (url) => onExternal(url, window),
      allowsDevTools,
    })
    reloadAfterCrash(window, log)
    offerContextMenu(window)
    keepZoom(window, state)
  }

  /** Returns the focused window. */
  focused(): BrowserWindow | null {
    return [...this.#windows].find((window) => window.isFocused()) ?? null
  }

  /** Sends an event to one page, if it is the gateway's own. */
  send<Name extends EventName>(
    window: BrowserWindow,
    name: Name,
    payload: EventPayload<Name>,
  ): void {
    if (window.isDestroyed()) return
    if (!isOwnAddress(window.webContents.getURL(), this.#deps.pageOrigin())) return
    window.webContents.send(ipcChannels.event, name, events[name].parse(payload))
  }

  sendToAll<Name extends EventName>(name: Name, payload: EventPayload<Name>): void {
    for (const window of this.#windows) this.send(window, name, payload)
  }
}
