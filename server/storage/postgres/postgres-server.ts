import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, ClientConfig, CustomTypesConfig, Pool } from 'pg'
import { StartError } from '../../config/start-error.ts'
import type { Logger } from '../../lib/logger.ts'
import { because, type Purpose } from '../../lib/outgoing/purpose.ts'
import { isPassing, toPostgresStartError } from './explain-failure.ts'

/** Address of a database, and how it is connected to. */
export interface ServerOptions {
  /** `postgres://account:password@host:port/database`. */
  readonly address: string
  readonly log?: Logger
  /** Name of this gateway among those that share the database. */
  readonly name?: string
  /** Time for which an unreachable server is retried. */
  readonly patience?: number
}

const PATIENCE_MILLISECONDS = 20_000
const PAUSE_MILLISECONDS = 500
const CONNECT_MILLISECONDS = 5000
const MOST_CONNECTIONS = 20
/** Time limit for a statement; after it the statement is abandoned, with its connection. */
const STATEMENT_MILLISECONDS = 10_000

/** Types whose values are converted to numbers like SQLite's, including booleans. */
const NUMBERS: Readonly<Record<number, (text: string) => number>> = {
  16: (text) => Number(text === 't'),
  20: Number,
  1700: Number,
}

/** Loads the library only if it is used; it is not bundled with the desktop app. */
const loadLibrary = async () => {
  try {
    return (await import('pg')).default
  } catch (cause) {
    throw new StartError(
      'The desktop app does not carry what PostgreSQL needs. Leave DATABASE_URL empty, or start the gateway without a window.',
      { cause },
    )
  }
}

type Library = Awaited<ReturnType<typeof loadLibrary>>

const PURPOSE: Purpose = { kind: 'shared_store', name: 'PostgreSQL' }

/**
 * Returns a client for the pool whose connections have the purpose of the database, whichever call
 * they are opened for.
 */
const withPurpose = ({ Client: Plain }: Library): typeof Client =>
  class extends Plain {
    override connect(): Promise<Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<Client> | void {
      return because(PURPOSE, () => (callback ? super.connect(callback) : super.connect()))
    }
  }

const readTypes = ({ types }: Library): CustomTypesConfig => ({
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    NUMBERS[id] ?? types.getTypeParser(id, format as 'text')) as CustomTypesConfig['getTypeParser'],
})

/** A database on a server, to which connections are opened. */
export class PostgresServer {
  readonly #library: Library
  readonly #options: ServerOptions
  readonly #config: ClientConfig

  private constructor(library: Library, options: ServerOptions) {
    this.#library = library
    this.#options = options
    this.#config = {
      connectionString: options.address,
      connectionTimeoutMillis: CONNECT_MILLISECONDS,
      application_name: this.applicationName,
      types: readTypes(library),
      keepAlive: true,
    }
  }

  static async load(options: ServerOptions): Promise<PostgresServer> {
    return new PostgresServer(await loadLibrary(), options)
  }

  /** Name by which other users of the database identify the connections of a gateway. */
  get applicationName(): string {
    const { name } = this.#options
    return name === undefined ? 'chat-gateway' : `chat-gateway ${name}`
  }

  /** Opens a connection outside of the pool, without a time limit for its statements. */
  async connect(): Promise<Client> {
    const client = new this.#library.Client(this.#config)
    // An error that ends the connection also fails the current statement, which reports it.
    client.on('error', () => undefined)
    await because(PURPOSE, () => client.connect())
    return client
  }

  /** Creates the pool of connections to a database whose schema is up to date. */
  createPool(): Pool {
    const pool = new this.#library.Pool({
      ...this.#config,
      // Days are counted in the time zone of the gateway.
      // The server ends an abandoned statement too, which would otherwise go on taking its time.
      options: `-c default_transaction_isolation=serializable -c statement_timeout=${STATEMENT_MILLISECONDS + 1000} -c TimeZone=${Intl.DateTimeFormat().resolvedOptions().timeZone}`,
      query_timeout: STATEMENT_MILLISECONDS,
      Client: withPurpose(this.#library),
      max: MOST_CONNECTIONS,
    })
    pool.on('error', (error) =>
      this.#options.log?.warn({ error: error.message }, 'a connection to the database was lost'),
    )
    return pool
  }

  /** Runs work at the start; retries it while the server is starting. */
  async whenReady<Result>(work: () => Promise<Result>): Promise<Result> {
    const { address, patience = PATIENCE_MILLISECONDS } = this.#options
    const deadline = performance.now() + patience
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!isPassing(error) || performance.now() > deadline)
          throw toPostgresStartError(error, address)
        await sleep(PAUSE_MILLISECONDS)
      }
    }
  }
}
