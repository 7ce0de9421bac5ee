import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { StartError } from '../../config/start-error.ts'
import type { Logger } from '../../lib/logger.ts'

/** Id of the lock of the one gateway that uses a database, among all locks of the database. */
const GATEWAY_LOCK = 0x43475750
/** Time to wait, because a killed gateway loses its lock only when PostgreSQL notices. */
const PATIENCE_MILLISECONDS = 5000
const PAUSE_MILLISECONDS = 500

const REFUSALS = {
  alone:
    'Another Chat Gateway works on the database that DATABASE_URL names. Set REDIS_URL to the same Redis for each of them, so that several can, stop the other one, or name another database.',
  several:
    'A Chat Gateway without REDIS_URL works on the database that DATABASE_URL names. Set REDIS_URL for that one too, stop it, or name another database.',
} as const

/**
 * Mode of a gateway: it has a database to itself, or shares it with others that it communicates
 * with.
 */
export type Sharing = keyof typeof REFUSALS

/**
 * Lock of a gateway that uses a database, held for the lifetime of its connection. Several gateways
 * may hold it if each has Redis; one without would not see the changes of others, so it has the
 * database to itself. A lost connection is reopened; if another gateway has the lock by then, this
 * one writes nothing any more.
 */
export class GatewayLock {
  readonly #connect: () => Promise<Client>
  readonly #log: Logger | undefined
  readonly #sharing: Sharing
  #client: Client | null = null
  #isClosed = false
  #isTakenByOther = false

  constructor(
    connect: () => Promise<Client>,
    { sharing, log }: { readonly sharing: Sharing; readonly log?: Logger },
  ) {
    this.#connect = connect
    this.#sharing = sharing
    this.#log = log
  }

  /** True if another gateway uses the database by now. */
  get isTakenByOther(): boolean {
    return this.#isTakenByOther
  }

  /** Takes the lock, or throws a `StartError`. */
  async open(): Promise<void> {
    const client = await this.#connect()
    const deadline = performance.now() + PATIENCE_MILLISECONDS
    while (!(await this.#take(client))) {
      if (performance.now() > deadline) {
        await client.end().catch(() => undefined)
        throw new StartError(REFUSALS[this.#sharing], { reason: 'locked' })
      }
      await sleep(PAUSE_MILLISECONDS)
    }
    this.#keep(client)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#client?.end().catch(() => undefined)
  }

  async #take(client: Client): Promise<boolean> {
    const lock =
      this.#sharing === 'several' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
    const { rows } = await client.query<{ taken: number }>(`select ${lock}($1)::int as taken`, [
      GATEWAY_LOCK,
    ])
    return rows[0]?.taken === 1
  }

  #keep(client: Client): void {
    this.#client = client
    this.#isTakenByOther = false
    client.once('end', () => {
      if (!this.#isClosed) void this.#takeAgain()
    })
  }

  async #takeAgain(): Promise<void> {
    this.#log?.warn('the connection to the database was lost')
    while (!this.#isClosed) {
      const client = await this.#connect().catch(() => null)
      if (client && (await this.#take(client).catch(() => false))) {
        this.#log?.info('the database is available again')
        this.#keep(client)
        return
      }
      if (client && !this.#isTakenByOther) {
        this.#isTakenByOther = true
        this.#log?.error('another gateway uses the database now; this one no longer writes')
      }
      await client?.end().catch(() => undefined)
      await sleep(PAUSE_MILLISECONDS)
    }
  }
}
