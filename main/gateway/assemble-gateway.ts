import { app, session } from 'electron'
import type { DesktopOptions } from '../launch/desktop-options.ts'
import { spawnGateway } from './gateway.ts'
import type { Logger } from '../profile/log.ts'
import { Supervisor, type GatewayState } from './supervise-gateway.ts'

const HEALTH_TIMEOUT = 2_000

/**
 * Sends the request in a separate session without cookies, as the URL is not verified to be ours
 * yet.
 */
async function isHealthy(url: string): Promise<boolean> {
  try {
    const answer = await session
      .fromPartition('health')
      .fetch(`${url}/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT) })
    return answer.ok
  } catch {
    // Not listening yet is the normal case while the gateway starts.
    return false
  }
}

export interface GatewayAssembly {
  readonly writeLog: (text: string) => void
  readonly onState: (state: GatewayState) => void
  /** Called when sealed mode was switched on or off. */
  readonly onSealed: () => void
  readonly log: Logger
}

/** Creates the app's supervised gateway: its executable, start parameters and output target. */
export function assembleGateway(
  { launch, environment, paths, profile }: DesktopOptions,
  assembly: GatewayAssembly,
): Supervisor {
  const entry = app.isPackaged ? paths.server : (launch.serverEntry ?? paths.server)
  const packaged: Record<string, string> = app.isPackaged ? { PACKAGED_PYTHON: paths.python } : {}
  const onOutput = (text: string, stream: 'stdout' | 'stderr'): void => {
    if (stream === 'stderr') assembly.writeLog(text)
    if (!app.isPackaged) process[stream].write(text)
  }
  return new Supervisor({
    spawn: (recovery) =>
      spawnGateway(
        { isPackaged: app.isPackaged, folder: paths.root },
        {
          entry,
          environment: {
            ...environment.forGateway,
            ...packaged,
            ...(recovery && { DATABASE_RECOVERY: recovery }),
          },
          onOutput,
        },
      ),
    start: {
      dataDir: profile.data,
      profile: profile.folder,
      port: environment.port,
      logLevel: environment.logLevel,
    },
    isHealthy,
    findProxies: (origin) => session.defaultSession.resolveProxy(origin),
    onState: assembly.onState,
    onSealed: assembly.onSealed,
    log: assembly.log,
    logs: profile.logs,
  })
}
