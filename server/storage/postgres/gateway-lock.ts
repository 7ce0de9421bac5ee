import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { StartError } from '../../config/start-error.ts'
import type { Logger } from '../../lib/logger.ts'

/** Names the lock of the one gateway that works on a database, among all locks of the database. */
const GATEWAY_LOCK = 0x43475750
/** A gateway that was killed loses its lock when PostgreSQL notices. */
const PATIENCE_MILLISECONDS = 5000
const PAUSE_MILLISECONDS = 500

const isTakenOnce = async (client: Client): Promise<boolean> => {
  const { rows } = await client.query<{ taken: number }>(
    'select pg_try_advisory_lock($1)::int as taken',
    [GATEWAY_LOCK],
  )
  return rows[0]?.taken === 1
}

/**
 * Says that one gateway works on a database, for as long as its connection lives: what gateways tell
 * each other beside the database is not shared, so that two of them would not see what the other
 * does. A connection that is lost is made anew; when another gateway has the lock by then, this one
 * writes nothing any more.
 */
export class GatewayLock {
  readonly #connect: () => Promise<Client>
  readonly #log: Logger | undefined
  #client: Client | null = null
  #isClosed = false
  #isTakenByOther = false

  constructor(connect: () => Promise<Client>, log: Logger | undefined) {
    this.#connect = connect
    this.#log = log
  }

  /** Whether another gateway works on the database by now. */
  get isTakenByOther(): boolean {
    return this.#isTakenByOther
  }

  /** Takes the lock, or throws a `StartError`. */
  async open(): Promise<void> {
    const client = await this.#connect()
    const deadline = performance.now() + PATIENCE_MILLISECONDS
    while (!(await isTakenOnce(client))) {
      if (performance.now() > deadline) {
        await client.end().catch(() => undefined)
        throw new StartError(
          'Another Chat Gateway works on the database that DATABASE_URL names. This version runs one gateway on a database: stop the other one, or name another database.',
          { reason: 'locked' },
        )
      }
      await sleep(PAUSE_MILLISECONDS)
    }
    this.#keep(client)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#client?.end().catch(() => undefined)
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
      if (client && (await isTakenOnce(client).catch(() => false))) {
        this.#log?.info('the database is there again')
        this.#keep(client)
        return
      }
      if (client && !this.#isTakenByOther) {
        this.#isTakenByOther = true
        this.#log?.error('another gateway works on the database now; this one writes no more')
      }
      await client?.end().catch(() => undefined)
      await sleep(PAUSE_MILLISECONDS)
    }
  }
}
