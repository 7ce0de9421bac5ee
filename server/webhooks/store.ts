import { sql } from 'kysely'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets/secrets.ts'
import type { WebhookDeliveryTable } from '../storage/tables/webhooks.ts'

export type DeliveryRow = WebhookDeliveryTable
/** Owner of the URL: a user by their id, or null for the gateway. */
export type Owner = string | null
/** Receiver of a delivery: the URL of an owner, or one registered for events. */
export type Receiver = Owner | { readonly hook: string }

export const receiverOf = ({
  user_id,
  hook_id,
}: Pick<DeliveryRow, 'user_id' | 'hook_id'>): Receiver =>
  hook_id === null ? user_id : { hook: hook_id }

export const toColumns = (receiver: Receiver): Pick<DeliveryRow, 'user_id' | 'hook_id'> =>
  receiver === null || typeof receiver === 'string'
    ? { user_id: receiver, hook_id: null }
    : { user_id: null, hook_id: receiver.hook }

const placeOf = (userId: string): string => `webhook_secret|${userId}|secret`

/** Concurrent deliveries to one receiver, so that one that hangs does not delay the others. */
const MOST_PER_RECEIVER = 2

/** SQL on the tables of `0030-webhooks`, with the deliveries of `0035-event-webhooks`. */
export class WebhookStore {
  readonly #storage: Storage
  readonly #secrets: Secrets
  readonly #due

  constructor(storage: Storage, secrets: Secrets) {
    this.#storage = storage
    this.#secrets = secrets
    this.#due = storage.prepare<[number, string, number], DeliveryRow>(
      'select id, user_id, hook_id, kind, facts, state, attempts, next_attempt_at, status, problem, created_at, finished_at from (' +
        'select *, row_number() over (partition by user_id, hook_id order by next_attempt_at, rowid) as place ' +
        "from webhook_delivery where state = 'waiting' and next_attempt_at <= ? " +
        'and id not in (select value from json_each(?))) waiting ' +
        `where place <= ${MOST_PER_RECEIVER} order by next_attempt_at limit ?`,
    )
  }

  async insert(row: DeliveryRow): Promise<void> {
    await this.#storage.insert('webhook_delivery', row)
  }

  /** Deliveries that are due, a few per receiver; those in `without` take none of the places. */
  due(now: number, limit: number, without: readonly string[]): Promise<DeliveryRow[]> {
    return this.#due.all(now, JSON.stringify(without), limit)
  }

  /** Releases deliveries that a previous process held back, because nothing else will. */
  async releaseHeld(now: number): Promise<void> {
    const held = this.#storage.builder
      .updateTable('webhook_delivery')
      .set({ next_attempt_at: now })
      .where('state', '=', 'waiting')
    await this.#storage.run(held.where('attempts', '=', 0).where('next_attempt_at', '>', now))
  }

  /** Time of the next attempt that is not yet due, in unix milliseconds; null if there is none. */
  async nextAt(now: number): Promise<number | null> {
    return (
      (
        await this.#storage.get(
          this.#storage.builder
            .selectFrom('webhook_delivery')
            .select('next_attempt_at')
            .where('state', '=', 'waiting')
            .where('next_attempt_at', '>', now)
            .orderBy('next_attempt_at')
            .limit(1),
        )
      )?.next_attempt_at ?? null
    )
  }

  countWaiting(receiver: Receiver): Promise<number> {
    return this.#storage.count(this.#ofReceiver(receiver).where('state', '=', 'waiting'))
  }

  /** Changes the time of the next attempt of a delivery. */
  async reschedule(id: string, at: number): Promise<void> {
    await this.#storage.update(
      'webhook_delivery',
      { id, state: 'waiting' },
      { next_attempt_at: at },
    )
  }

  async update(
    id: string,
    changes: Partial<Omit<DeliveryRow, 'id' | 'user_id' | 'hook_id' | 'kind'>>,
  ): Promise<void> {
    await this.#storage.update('webhook_delivery', id, changes)
  }

  async remove(id: string): Promise<void> {
    await this.#storage.remove('webhook_delivery', id)
  }

  /** Removes deliveries that ended before the one that ended last. */
  async removeOlder(receiver: Receiver, id: string): Promise<void> {
    const { user_id, hook_id } = toColumns(receiver)
    const ended = this.#storage.builder
      .deleteFrom('webhook_delivery')
      .where('state', '!=', 'waiting')
      .where('id', '!=', id)
    await this.#storage.run(
      ended
        .where('user_id', 'is not distinct from', user_id)
        .where('hook_id', 'is not distinct from', hook_id),
    )
  }

  async last(receiver: Receiver): Promise<DeliveryRow | null> {
    return (
      (await this.#storage.get(
        this.#ofReceiver(receiver)
          .where('state', '!=', 'waiting')
          .selectAll()
          .orderBy('finished_at', 'desc')
          .orderBy(sql`rowid`, 'desc')
          .limit(1),
      )) ?? null
    )
  }

  async secret(userId: string): Promise<string> {
    const row = await this.#storage.get(
      this.#storage.builder
        .selectFrom('webhook_secret')
        .select('secret')
        .where('user_id', '=', userId),
    )
    return row ? (this.#secrets.decrypt(placeOf(userId), row.secret) ?? '') : ''
  }

  /** An empty text removes the secret. */
  async setSecret(userId: string, text: string): Promise<void> {
    if (text === '') {
      await this.#storage.remove('webhook_secret', { user_id: userId })
      return
    }
    const row = { user_id: userId, secret: this.#secrets.encrypt(placeOf(userId), text) }
    await this.#storage.run(
      this.#storage.builder
        .insertInto('webhook_secret')
        .values(row)
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ secret: row.secret })),
    )
  }

  #ofReceiver(receiver: Receiver) {
    const { user_id, hook_id } = toColumns(receiver)
    return this.#storage.builder
      .selectFrom('webhook_delivery')
      .where('user_id', 'is not distinct from', user_id)
      .where('hook_id', 'is not distinct from', hook_id)
  }
}
