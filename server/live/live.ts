import type { Config } from '../config/config.ts'
import type { Logger } from '../lib/logger.ts'
import type { Bucket } from '../storage/blobs/bucket/bucket.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { Line } from './line.ts'
import type { Replicas } from './replicas.ts'

/** What a gateway that shares its database has to reach the others. */
export interface Live {
  /** The name of this gateway, another one with each start. */
  readonly self: string
  readonly line: Line
  readonly replicas: Replicas
}

/** What the domains are built from. */
export interface Foundation {
  readonly config: Config
  readonly storage: Storage
  readonly secrets: Secrets
  /** For the bytes of uploads; null keeps them in the data folder. */
  readonly bucket: Bucket | null
  /** What reaches the other gateways on the database; null where there are none. */
  readonly live: Live | null
  readonly log: Logger
}
