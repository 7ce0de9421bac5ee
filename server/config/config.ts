import type { Environment } from './env.ts'
import type { DatabaseServer } from './parse-database-url.ts'
import type { MetricsAddress } from './parse-metrics-address.ts'
import type { TraceReceiver } from './parse-trace-receiver.ts'
import type { ObjectStoreConfig } from './parse-object-store.ts'

/**
 * Start configuration of the gateway; frozen, built once from the environment and passed down.
 * Paths are absolute.
 */
export interface Config {
  readonly mode: 'desktop' | 'server'
  readonly environment: Environment
  /** `ENV=dev` shows `/docs` and `/openapi.json` without sign-in. */
  readonly isDevelopment: boolean
  /** `ENABLE_WEBSOCKET_SUPPORT=false` restricts Socket.IO clients to long polling. */
  readonly hasSocketIoWebsockets: boolean
  readonly host: string
  /** 0 means any free port. */
  readonly port: number
  readonly dataDir: string
  /**
   * Further folders with secrets of this gateway, or of others of the account. No plugin may read
   * them.
   */
  readonly closedFolders: readonly string[]
  /** Folder of the built UI; null serves the API alone. */
  readonly uiDir: string | null
  readonly logLevel: string
  /**
   * Root secret from `WEBUI_SECRET_KEY` or from the desktop app; null lets the gateway keep one in
   * a 0600 file.
   */
  readonly secretKey: string | null
  /**
   * Recovery of a damaged database: restore the newest good backup, start empty, or null to stop
   * and ask.
   */
  readonly databaseRecovery: 'without-log' | 'restore' | 'fresh' | null
  /** The database outside of the data folder; null is SQLite in it. */
  readonly databaseServer: DatabaseServer | null
  /** Listener for metrics; null without one. */
  readonly metricsAddress: MetricsAddress | null
  /** Receiver of traces; null without one. */
  readonly traceReceiver: TraceReceiver | null
  /** Store of uploaded bytes instead of the data folder; null for the folder. */
  readonly objectStore: ObjectStoreConfig | null
  /**
   * Redis that connects several gateways on one database; null for none. May contain a password.
   */
  readonly redisUrl: string | null
  /**
   * File that the driver of NVIDIA cards leaves on the system; by default where it usually does.
   */
  readonly nvidiaDriver?: string
  readonly productVersion: string
  /** The API line clients gate on (docs/decisions.md). */
  readonly apiVersion: string
}
