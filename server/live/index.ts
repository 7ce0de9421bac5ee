import { newId } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets/secrets.ts'
import { Line } from './line.ts'
import { Replicas } from './replicas.ts'

import type { Live } from './live.ts'

export type { Foundation, Live } from './live.ts'
export { connectRedis, type Redis } from './connect-redis.ts'
export { Line } from './line.ts'
export { NamedRuns } from './named-runs.ts'
export { PendingFlows } from './pending-flows.ts'
export { RemoteCalls } from './remote-calls.ts'
export type { Replicas } from './replicas.ts'
export { shareWindow } from './share-window.ts'
export { SharedEntries } from './shared-entries.ts'

/** Runs work of this name on one of the gateways at a time. */
export const takeTurn = <Result>(
  live: Live | null | undefined,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> => (live ? live.replicas.takeTurn(name, work) : work())

/** Returns a new name for a gateway among those that share a database. */
export const newReplicaName = (): string => newId()

interface LineOptions {
  readonly url: string
  readonly secrets: Secrets
  readonly log: Logger
  readonly self: string
}

/** Throws a `StartError` if Redis cannot be reached. */
export function openLine({ secrets, ...options }: LineOptions): Promise<Line> {
  // Gateways of other databases on the same Redis server have another secret.
  const prefix = `chat-gateway:${secrets.derive('live').toString('hex').slice(0, 16)}:`
  return Line.open({ ...options, prefix })
}

/** Joins the other gateways on the database. */
export async function joinOthers(
  line: Line,
  {
    storage,
    log,
    self,
  }: { readonly storage: Storage; readonly log: Logger; readonly self: string },
): Promise<Live> {
  const replicas = new Replicas({ storage, log, self })
  await replicas.open()
  return { self, line, replicas }
}
