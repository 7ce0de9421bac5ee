import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { app, session } from 'electron'
import type { UpdateState } from '#desktop'
import type { DesktopOptions } from '../launch/desktop-options.ts'
import type { Logger } from '../profile/log.ts'
import type { Supervisor } from '../gateway/supervise-gateway.ts'
import { previousOf, swapAppImage } from './app-image.ts'
import { startProgram } from './start-program.ts'
import { findFeedFile, guardFeedSession, readUpdateFeed, type UpdateFeed } from './update-feed.ts'
import type { UpdateMark } from './update-mark.ts'
import { ElectronUpdateProgram } from './update-program.ts'
import { Updates, type UpdatesDeps } from './updates.ts'
import type { WindowTraffic } from '../security/window-traffic.ts'

/** Session name under which the library keeps its connections separate from those of windows. */
const UPDATE_SESSION = 'electron-updater'
const BEFORE_UPDATE = 'before-update'

export interface UpdateAssembly {
  readonly mark: UpdateMark
  readonly gateway: Pick<Supervisor, 'backUp' | 'countAnswers' | 'mayLeave'>
  readonly traffic: WindowTraffic
  readonly onState: (state: UpdateState) => void
  /** Options of this start that the next one needs as well. */
  readonly ownOptions: readonly string[]
  readonly log: Logger
}

const portOf = ({ port, protocol }: URL): number =>
  Number(port || (protocol === 'http:' ? 80 : 443))

/** Packages of the system are updated by the system. */
function isSystemPackage(resources: string): boolean {
  const file = path.join(resources, 'package-type')
  return existsSync(file) && readFileSync(file, 'utf8').trim() !== 'AppImage'
}

function findWay(feed: UpdateFeed | null, appImage: string | null): UpdateState['way'] {
  if (!feed) return 'nowhere'
  if (process.platform !== 'linux') return 'itself'
  return appImage !== null && !isSystemPackage(process.resourcesPath) ? 'itself' : 'package'
}

function openFeed({ launch }: DesktopOptions, traffic: WindowTraffic): UpdateFeed | null {
  const { isPackaged } = app
  const file = findFeedFile({ isPackaged, resources: process.resourcesPath }, launch.updateFeed)
  const feed = file === null ? null : readUpdateFeed(file)
  if (feed) guardFeedSession(session.fromPartition(UPDATE_SESSION, { cache: false }), feed, traffic)
  return feed
}

/** Creates the updates for this build: its feed, and how a new version is installed. */
export function assembleUpdates(options: DesktopOptions, assembly: UpdateAssembly): Updates {
  const { mark, gateway, traffic, ownOptions, log } = assembly
  const { appImage } = options.environment
  const feed = openFeed(options, traffic)
  const program =
    feed &&
    new ElectronUpdateProgram({
      platform: process.platform,
      feed,
      isPackaged: app.isPackaged,
      log,
    })

  const install: UpdatesDeps['install'] = ({ version, sha512, file, backup }) => {
    const isSwapped = process.platform === 'linux'
    mark.set({
      from: app.getVersion(),
      to: version,
      previous: isSwapped && appImage !== null ? previousOf(appImage) : null,
      backup,
      starts: 0,
    })
    if (!isSwapped) return program?.install(updates.startsAgain)
    if (appImage === null) return
    try {
      swapAppImage(appImage, file, sha512)
    } catch (error) {
      mark.clear()
      throw error
    }
    if (!updates.startsAgain) return
    // Otherwise the new process would find this one's lock and exit.
    app.releaseSingleInstanceLock()
    startProgram(appImage, ['--', ...ownOptions], log)
  }

  const updates = new Updates({
    way: findWay(feed, appImage),
    version: app.getVersion(),
    program,
    mode: () => options.state.current.updates,
    countAnswers: () => gateway.countAnswers(),
    mayLeave: async () =>
      feed === null || gateway.mayLeave(feed.url.hostname, portOf(feed.url), 'update'),
    backUp: () => gateway.backUp(BEFORE_UPDATE),
    install,
    quit: () => app.quit(),
    onState: assembly.onState,
    log,
  })
  return updates
}
