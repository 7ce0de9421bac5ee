import { readDiscovery, type Discovery } from '../config/discovery.ts'
import { CommandError, EXIT } from './command-error.ts'

/** A gateway that runs on this computer. */
export interface RunningGateway extends Discovery {
  readonly dataDir: string
}

/** Returns the gateway of the first folder with a running one; null if there is none. */
export function findGateway(dataDirs: readonly string[]): RunningGateway | null {
  for (const dataDir of dataDirs) {
    const found = readDiscovery(dataDir)
    if (found && !found.isStale) return { ...found, dataDir }
  }
  return null
}

export function requireGateway(dataDirs: readonly string[]): RunningGateway {
  const found = findGateway(dataDirs)
  if (found) return found
  const stale = dataDirs.some((dataDir) => readDiscovery(dataDir)?.isStale)
  const reason = stale
    ? 'The last gateway ended without tidying up.'
    : `Looked in ${dataDirs.join(' and ')}.`
  throw new CommandError(
    EXIT.notRunning,
    `No gateway is running. ${reason} Start the app or the gateway, or name its folder with --data-dir.`,
  )
}
