import { app, shell, type BrowserWindow } from 'electron'
import { say } from '../../system/language.ts'
import type { RequestHandlers } from '../router.ts'

export interface AppHandlerDeps {
  readonly gatewayUrl: () => string
  readonly dataFolder: string
  readonly secrets: {
    readonly kind: 'keychain' | 'file'
    readonly warning: 'file' | 'session' | null
  }
  readonly restartGateway: () => Promise<void>
  /** Returns the half of the session intended for this window, and forgets it. */
  readonly takeSessionKey: (window: BrowserWindow) => string | null
}

/** Facts about the installation, its data folder and its gateway. */
export function createAppHandlers(
  deps: AppHandlerDeps,
): Pick<RequestHandlers, 'app.info' | 'session.takeKey' | 'data.openFolder' | 'gateway.restart'> {
  return {
    'app.info': () => ({
      productVersion: app.getVersion(),
      electronVersion: process.versions.electron ?? '',
      platform: process.platform,
      gatewayUrl: deps.gatewayUrl(),
      dataFolder: deps.dataFolder,
      secrets: {
        kind: deps.secrets.kind,
        warning: deps.secrets.warning && say(`key.warning.${deps.secrets.warning}`),
      },
    }),
    'session.takeKey': (_input, { window }) => ({ key: deps.takeSessionKey(window) }),
    'data.openFolder': async () => {
      const problem = await shell.openPath(deps.dataFolder)
      if (problem !== '') throw new Error(problem)
      return {}
    },
    'gateway.restart': async () => {
      await deps.restartGateway()
      return {}
    },
  }
}
