import type { Environment } from './env.ts'
import type { DatabaseServer } from './parse-database-url.ts'
import type { MetricsAddress } from './parse-metrics-address.ts'
import type { TraceReceiver } from './parse-trace-receiver.ts'
import type { ObjectStoreConfig } from './parse-object-store.ts'

/**
 * What the gateway is started with; frozen, built once from the environment and passed down. Paths
 * are absolute.
 */
export interface Config {
  readonly mode: 'desktop' | 'server'
  readonly environment: Environment
  /** `ENV=dev` shows `/docs` and `/openapi.json` without sign-in. */
  readonly isDevelopment: boolean
  /** `ENABLE_WEBSOCKET_SUPPORT=false` leaves clients of Socket.IO long polling alone. */
  readonly hasSocketIoWebsockets: boolean
  readonly host: string
  /** 0 means any free port. */
  readonly port: number
  readonly dataDir: string
  /**
   * Folders besides it that hold secrets of this gateway, or of others of the account. No plugin
   * may read them.
   */
  readonly closedFolders: readonly string[]
  /** Folder of the built interface; null serves the API alone. */
  readonly uiDir: string | null
  readonly logLevel: string
  /**
   * Root secret from `WEBUI_SECRET_KEY` or from the desktop app; null lets the gateway keep one in
   * a 0600 file.
   */
  readonly secretKey: string | null
  /**
   * What to do with a damaged database: put back the newest good backup, start empty, or null to
   * stop and ask.
   */
  readonly databaseRecovery: 'without-log' | 'restore' | 'fresh' | null
  /** The database outside of the data folder; null is SQLite in it. */
  readonly databaseServer: DatabaseServer | null
  /** The listener for measurements; null without one. */
  readonly metricsAddress: MetricsAddress | null
  /** Who is sent traces; null without anybody. */
  readonly traceReceiver: TraceReceiver | null
  /** Where the bytes of uploads are kept instead of in the data folder; null for the folder. */
  readonly objectStore: ObjectStoreConfig | null
  /** Where several gateways on one database meet; null for none. May hold a password. */
  readonly redisUrl: string | null
  readonly productVersion: string
  /** The API line clients gate on (docs/decisions.md). */
  readonly apiVersion: string
}
