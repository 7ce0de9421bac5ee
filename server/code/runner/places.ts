import { mkdirSync } from 'node:fs'
import { appPort, type AppPort } from '../../lib/app-port.ts'
import type { Plugins, WorkerProcess } from '../../plugins/index.ts'
import type { Packages } from '../packages.ts'
import { startAppWindow } from './app-window.ts'
import { canStartNode, runtimeFolder, startRunner } from './start-runner.ts'

/** Environment for running cells without a window of the user. */
export interface CellPlaces {
  /** Returns the reason why there is none; null if there is one. */
  readonly refusal: () => Promise<string | null>
  /** Returns true if the system or the browser enforces the restrictions of code. */
  readonly isFenced: () => Promise<boolean>
  /** Resolves with null if no process may be started. */
  readonly start: (memory: number) => Promise<WorkerProcess | null>
}

export interface PlaceOptions {
  readonly fence: Plugins['fence']
  readonly packages: Packages
  readonly mode: () => 'fenced' | 'always' | 'never'
  readonly app?: AppPort | null
}

const NO_FENCE =
  'The gateway itself runs none, as this system cannot fence it in; an administrator can allow it all the same (CODE_ON_GATEWAY).'
const SWITCHED_OFF = 'The gateway itself runs none (CODE_ON_GATEWAY).'
const NO_PLACE =
  'The gateway itself runs none: inside Electron it may start no process, and no app is there to make a window for it.'

/**
 * Chooses a process of the gateway if it may start one; inside the packaged app, which cannot, a
 * hidden window of the app.
 */
export function choosePlaces({ fence, packages, mode, app = appPort }: PlaceOptions): CellPlaces {
  const inProcess: CellPlaces = {
    refusal: async () => (mode() === 'always' || (await fence.canStartAlone()) ? null : NO_FENCE),
    isFenced: () => fence.canStartAlone(),
    start: async (memory) => {
      mkdirSync(packages.folder, { recursive: true, mode: 0o700 })
      const mayRoam = mode() === 'always'
      return startRunner({ fence, packages: packages.folder, memory, mayRoam })
    },
  }
  const inAppWindow: CellPlaces = {
    refusal: async () => (app ? null : NO_PLACE),
    isFenced: async () => app !== null,
    start: async (memory) =>
      app && startAppWindow(app, { runtimeFolder: runtimeFolder(), packages }, memory),
  }
  const place = canStartNode() ? inProcess : inAppWindow
  return {
    ...place,
    refusal: async () => (mode() === 'never' ? SWITCHED_OFF : place.refusal()),
  }
}
