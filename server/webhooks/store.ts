import { sql } from 'kysely'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { WebhookDeliveryTable } from '../storage/tables/webhooks.ts'

export type DeliveryRow = WebhookDeliveryTable
/** Whose address it is: a person's by their id, or that of the gateway. */
export type Owner = string | null
/** Where deliveries go: the address of an owner, or one of those that are told of events. */
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
    this.#due = storage.sqlite.prepare<[number, string, number], DeliveryRow>(
      'select id, user_id, hook_id, kind, facts, state, attempts, next_attempt_at, status, problem, created_at, finished_at from (' +
        'select *, row_number() over (partition by user_id, hook_id order by next_attempt_at, rowid) as place ' +
        "from webhook_delivery where state = 'waiting' and next_attempt_at <= ? " +
        'and id not in (select value from json_each(?))) ' +
        `where place <= ${MOST_PER_RECEIVER} order by next_attempt_at limit ?`,
    )
  }

  insert(row: DeliveryRow): void {
    this.#storage.run(this.#storage.builder.insertInto('webhook_delivery').values(row))
  }

  /** Deliveries that are due, a few per receiver; those in `without` take none of the places. */
  due(now: number, limit: number, without: readonly string[]): DeliveryRow[] {
    return this.#due.all(now, JSON.stringify(without), limit)
  }

  /** Releases deliveries that a former process held back, because nothing else will. */
  releaseHeld(now: number): void {
    const held = this.#storage.builder
      .updateTable('webhook_delivery')
      .set({ next_attempt_at: now })
      .where('state', '=', 'waiting')
    this.#storage.run(held.where('attempts', '=', 0).where('next_attempt_at', '>', now))
  }

  /**
   * When the next delivery has to be tried that does not have to be now, in unix milliseconds;
   * null when there is none.
   */
  nextAt(now: number): number | null {
    return (
      this.#storage.get(
        this.#storage.builder
          .selectFrom('webhook_delivery')
          .select('next_attempt_at')
          .where('state', '=', 'waiting')
          .where('next_attempt_at', '>', now)
          .orderBy('next_attempt_at')
          .limit(1),
      )?.next_attempt_at ?? null
    )
  }

  countWaiting(receiver: Receiver): number {
    return this.#storage.get(
      this.#ofReceiver(receiver)
        .where('state', '=', 'waiting')
        .select(({ fn }) => fn.countAll<number>().as('count')),
    )!.count
  }

  /** Has a delivery tried at another time than was said. */
  reschedule(id: string, at: number): void {
    this.#storage.run(
      this.#storage.builder
        .updateTable('webhook_delivery')
        .set({ next_attempt_at: at })
        .where('id', '=', id)
        .where('state', '=', 'waiting'),
    )
  }

  update(
    id: string,
    changes: Partial<Omit<DeliveryRow, 'id' | 'user_id' | 'hook_id' | 'kind'>>,
  ): void {
    this.#storage.run(
      this.#storage.builder.updateTable('webhook_delivery').set(changes).where('id', '=', id),
    )
  }

  remove(id: string): void {
    this.#storage.run(this.#storage.builder.deleteFrom('webhook_delivery').where('id', '=', id))
  }

  /** Removes what ended before the delivery that ended last. */
  removeOlder(receiver: Receiver, id: string): void {
    const { user_id, hook_id } = toColumns(receiver)
    const ended = this.#storage.builder
      .deleteFrom('webhook_delivery')
      .where('state', '!=', 'waiting')
      .where('id', '!=', id)
    this.#storage.run(ended.where('user_id', 'is', user_id).where('hook_id', 'is', hook_id))
  }

  last(receiver: Receiver): DeliveryRow | null {
    return (
      this.#storage.get(
        this.#ofReceiver(receiver)
          .where('state', '!=', 'waiting')
          .selectAll()
          .orderBy('finished_at', 'desc')
          .orderBy(sql`rowid`, 'desc')
          .limit(1),
      ) ?? null
    )
  }

  secret(userId: string): string {
    const row = this.#storage.get(
      this.#storage.builder
        .selectFrom('webhook_secret')
        .select('secret')
        .where('user_id', '=', userId),
    )
    return row ? (this.#secrets.decrypt(placeOf(userId), row.secret) ?? '') : ''
  }

  /** An empty one removes it. */
  setSecret(userId: string, text: string): void {
    if (text === '') {
      this.#storage.run(
        this.#storage.builder.deleteFrom('webhook_secret').where('user_id', '=', userId),
      )
      return
    }
    const row = { user_id: userId, secret: this.#secrets.encrypt(placeOf(userId), text) }
    this.#storage.run(
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
      .where('user_id', 'is', user_id)
      .where('hook_id', 'is', hook_id)
  }
}
