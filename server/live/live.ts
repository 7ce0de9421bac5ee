import type { Config } from '../config/config.ts'
import type { Logger } from '../lib/logger.ts'
import type { Bucket } from '../storage/blobs/bucket/bucket.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets/secrets.ts'
import type { Line } from './line.ts'
import type { Replicas } from './replicas.ts'

/** Connection to the other gateways that share the database. */
export interface Live {
  /** Name of this gateway, a new one with each start. */
  readonly self: string
  readonly line: Line
  readonly replicas: Replicas
}

/** Dependencies from which the domains are built. */
export interface Foundation {
  readonly config: Config
  readonly storage: Storage
  readonly secrets: Secrets
  /** Storage for the bytes of uploads; null to keep them in the data folder. */
  readonly bucket: Bucket | null
  /** Connection to the other gateways on the database; null if there are none. */
  readonly live: Live | null
  readonly log: Logger
}
