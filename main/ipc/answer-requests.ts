import { ipcMain } from 'electron'
import { ipcChannels } from '#desktop'
import type { OpenExternal } from '../security/external-links.ts'
import type { Logger } from '../profile/log.ts'
import type { MainWindow } from '../windows/main-window.ts'
import type { UnlockedRootKey } from '../secrets/root-key.ts'
import type { ShellStateStore } from '../profile/shell-state.ts'
import type { SystemKeys } from '../system/global-shortcut.ts'
import type { LoginItem } from '../system/login-item.ts'
import type { QuickAsk } from '../windows/quick-ask.ts'
import type { PageWindows } from '../windows/page-windows.ts'
import type { Supervisor } from '../gateway/supervise-gateway.ts'
import type { TaskbarProgress, UnreadMark } from '../system/unread-mark.ts'
import type { Updates } from '../updates/updates.ts'
import { createAppHandlers } from './handlers/app.ts'
import { createShellHandlers, type Pause } from './handlers/shell.ts'
import { createUpdateHandlers } from './handlers/updates.ts'
import { createWindowHandlers } from './handlers/window.ts'
import { createRouter } from './router.ts'
import { findTrustedWindow } from './trusted-window.ts'

export interface AnswerDeps {
  readonly main: MainWindow
  readonly openExternal: OpenExternal
  readonly state: ShellStateStore
  readonly secrets: UnlockedRootKey
  readonly dataFolder: string
  readonly gateway: Pick<Supervisor, 'restart'>
  readonly keys: SystemKeys
  readonly quickAsk: QuickAsk
  readonly loginItem: LoginItem
  readonly pages: Pick<PageWindows, 'focused'>
  readonly pause: Pause
  readonly onSpelling: () => void
  readonly updates: Updates
  /** Called when the main window's page is loaded and listening. */
  readonly onListening: () => void
  readonly onLanguage: () => void
  readonly unread: UnreadMark
  readonly progress: TaskbarProgress
  readonly log: Logger
}

/** Opens the only channel on which the page can send requests. */
export function answerRequests({
  main,
  openExternal,
  state,
  secrets,
  dataFolder,
  gateway,
  keys,
  quickAsk,
  loginItem,
  pages,
  pause,
  onSpelling,
  onLanguage,
  unread,
  progress,
  updates,
  onListening,
  log,
}: AnswerDeps): void {
  const gatewayUrl = (): string => main.pageOrigin() ?? ''
  const handlers = {
    ...createAppHandlers({
      gatewayUrl,
      dataFolder,
      secrets,
      restartGateway: () => gateway.restart(),
      takeSessionKey(window) {
        if (window !== main.window) return null
        onListening()
        return main.takeSessionKey()
      },
    }),
    ...createWindowHandlers({
      state,
      openExternal,
      onLanguage,
      onUnread: (count) => unread.set(count),
      onProgress: (share) => progress.set('models', share),
      isInFront: () => pages.focused() !== null,
      openPlace: (path) => main.openPlace(path),
    }),
    ...createShellHandlers({
      state,
      keys,
      quickAsk,
      loginItem,
      pause,
      onSpelling,
      onUpdates: () => updates.schedule(),
      platform: process.platform,
    }),
    ...createUpdateHandlers(updates),
  }
  const trustedWindow: Parameters<typeof createRouter>[0]['trustedWindow'] = (event) =>
    findTrustedWindow(event, main.pageOrigin())
  ipcMain.handle(ipcChannels.request, createRouter({ handlers, trustedWindow, log }))
}
