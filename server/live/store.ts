import { sql } from 'kysely'
import { nowSeconds } from '../lib/ids.ts'
import type { Storage } from '../storage/index.ts'
import type { PendingFlowTable } from '../storage/tables/live.ts'

/** Time used by all gateways, independent of their own clocks. */
const NOW = sql<number>`unixepoch()`

/** SQL on the tables `replica` and `lease`. */
export class ReplicaStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  async add(id: string): Promise<void> {
    await this.#storage.run(
      this.#storage.builder
        .insertInto('replica')
        .values({ id, seen_at: NOW })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: NOW })),
    )
  }

  /** Records that a gateway is alive; returns false if it was considered dead. */
  async note(id: string): Promise<boolean> {
    const changed = await this.#storage.update('replica', id, { seen_at: NOW })
    return changed > 0
  }

  /** Returns all known gateways, with the seconds since each was seen. */
  async ages(): Promise<{ id: string; age: number }[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('replica')
        .select(['id', sql<number>`unixepoch() - seen_at`.as('age')]),
    )
  }

  async remove(id: string): Promise<boolean> {
    return (await this.#storage.remove('replica', id)) > 0
  }

  /**
   * Removes a gateway that was not seen for this long; returns false if it was seen, or if another
   * gateway removed it.
   */
  async removeSilent(id: string, seconds: number): Promise<boolean> {
    const removed = await this.#storage.run(
      this.#storage.builder
        .deleteFrom('replica')
        .where('id', '=', id)
        .where(sql<boolean>`seen_at < unixepoch() - ${seconds}`),
    )
    return removed > 0
  }

  /** Acquires or renews a lease for this long; returns false while another gateway holds it. */
  async lease(name: string, holder: string, seconds: number): Promise<boolean> {
    const until = sql<number>`unixepoch() + ${seconds}`
    const changed = await this.#storage.run(
      this.#storage.builder
        .insertInto('lease')
        .values({ name, holder, until })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ holder, until })
            .where(sql<boolean>`lease.holder = ${holder} or lease.until < unixepoch()`),
        ),
    )
    return changed > 0
  }

  async release(holder: string): Promise<void> {
    await this.#storage.remove('lease', { holder })
  }
}

/** SQL on the table `pending_flow`. */
export class PendingFlowStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  async save(flow: PendingFlowTable): Promise<void> {
    const { content, expires_at: expiresAt } = flow
    await this.#storage.run(
      this.#storage.builder
        .insertInto('pending_flow')
        .values(flow)
        .onConflict((conflict) =>
          conflict.columns(['kind', 'id']).doUpdateSet({ content, expires_at: expiresAt }),
        ),
    )
  }

  async find(kind: string, id: string): Promise<PendingFlowTable | undefined> {
    return this.#storage.get(
      this.#storage.builder
        .selectFrom('pending_flow')
        .selectAll()
        .where('kind', '=', kind)
        .where('id', '=', id)
        .where('expires_at', '>=', nowSeconds()),
    )
  }

  /** Returns false if another call removed it. */
  async remove(kind: string, id: string): Promise<boolean> {
    const removed = await this.#storage.remove('pending_flow', { kind, id })
    return removed > 0
  }

  async removeExpired(): Promise<void> {
    await this.#storage.run(
      this.#storage.builder.deleteFrom('pending_flow').where('expires_at', '<', nowSeconds()),
    )
  }

  /** Removes all flows of a kind that a user began, except the latest ones. */
  async removeOldest(kind: string, userId: string, kept: number): Promise<void> {
    const { builder } = this.#storage
    const rows = await this.#storage.all(
      builder
        .selectFrom('pending_flow')
        .select('id')
        .where('user_id', '=', userId)
        .where('kind', '=', kind)
        .orderBy('expires_at', 'desc'),
    )
    const old = rows.slice(kept).map(({ id }) => id)
    if (old.length === 0) return
    await this.#storage.run(
      builder.deleteFrom('pending_flow').where('kind', '=', kind).where('id', 'in', old),
    )
  }
}
