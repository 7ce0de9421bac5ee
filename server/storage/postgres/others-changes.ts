import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Logger } from '../../lib/logger.ts'
import { within } from '../../lib/timing/within.ts'
import { CHANGES_CHANNEL, type ToldTable } from './told-tables.ts'

/** Listener for the keys of rows changed by others; null if anything may have changed. */
export type FollowChanges = (keys: ReadonlySet<string> | null) => Promise<void> | void

const PAUSE_MILLISECONDS = 500
/** A silent connection is checked by a query at this interval. */
const ASK_MILLISECONDS = 1000
const ANSWER_MILLISECONDS = 3000

/** A cache of rows that follows changes, one round after the other. */
class Follower {
  readonly tables: ReadonlySet<string>
  readonly #follow: FollowChanges
  readonly #onFailure: (error: unknown) => void
  #wanted: Set<string> | 'all' | null = null
  #isRunning = false

  constructor(
    tables: readonly ToldTable[],
    follow: FollowChanges,
    onFailure: (error: unknown) => void,
  ) {
    this.tables = new Set(tables)
    this.#follow = follow
    this.#onFailure = onFailure
  }

  /** Records a change; changes during a round are handled together in the next one. */
  note(key: string | null): void {
    if (key === null) this.#wanted = 'all'
    else if (this.#wanted === null) this.#wanted = new Set([key])
    else if (this.#wanted !== 'all') this.#wanted.add(key)
    if (!this.#isRunning) void this.#run()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#wanted !== null) {
      const keys = this.#wanted === 'all' ? null : this.#wanted
      this.#wanted = null
      try {
        await this.#follow(keys)
      } catch (error) {
        // The changes are unknown now, so everything is read again until that succeeds.
        this.#onFailure(error)
        this.#wanted = 'all'
        await sleep(PAUSE_MILLISECONDS, undefined, { ref: false })
      }
    }
    this.#isRunning = false
  }
}

/**
 * Receives the changes of other gateways from PostgreSQL, each with the commit. While its
 * connection is lost it receives nothing, so that afterwards anything may have changed.
 */
export class OthersChanges {
  readonly #connect: () => Promise<Client>
  readonly #self: string
  readonly #log: Logger | undefined
  readonly #followers: Follower[] = []
  #client: Client | null = null
  #asking: NodeJS.Timeout | undefined
  #isClosed = false

  /** `self` is the name of this gateway's connections. */
  constructor(connect: () => Promise<Client>, self: string, log: Logger | undefined) {
    this.#connect = connect
    this.#self = self
    this.#log = log
  }

  follow(tables: readonly ToldTable[], follow: FollowChanges): void {
    const onFailure = (error: unknown): void =>
      this.#log?.warn({ error, tables }, 'changes by other gateways could not be read')
    this.#followers.push(new Follower(tables, follow, onFailure))
  }

  async open(): Promise<void> {
    const client = await this.#connect()
    client.on('notification', ({ payload }) => this.#hear(payload ?? ''))
    await client.query(`listen ${CHANGES_CHANNEL}`)
    this.#client = client
    client.once('end', () => {
      if (!this.#isClosed) void this.#openAgain()
    })
    this.#asking = setInterval(() => void this.#ask(client), ASK_MILLISECONDS).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#asking)
    await this.#client?.end().catch(() => undefined)
  }

  async #ask(client: Client): Promise<void> {
    if (client !== this.#client) return
    try {
      await within(client.query('select 1'), ANSWER_MILLISECONDS)
    } catch {
      if (client === this.#client) this.#cut(client)
    }
  }

  /**
   * Closes an unresponsive connection immediately; a graceful end would wait for a response too.
   */
  #cut(client: Client): void {
    ;(
      client as unknown as { connection: { stream: { destroy(): void } } }
    ).connection.stream.destroy()
  }

  async #openAgain(): Promise<void> {
    clearInterval(this.#asking)
    this.#client = null
    while (!this.#isClosed) {
      try {
        await this.open()
        for (const follower of this.#followers) follower.note(null)
        return
      } catch {
        await sleep(PAUSE_MILLISECONDS, undefined, { ref: false })
      }
    }
  }

  #hear(payload: string): void {
    const [from, table, key] = JSON.parse(payload) as [string, string, string | null]
    if (from === this.#self) return
    for (const follower of this.#followers) if (follower.tables.has(table)) follower.note(key)
  }
}
