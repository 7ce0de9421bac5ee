import { sql, type SelectQueryBuilder } from 'kysely'
import type {
  OutgoingConnection,
  OutgoingFilter,
  OutgoingHost,
} from '#contract/outgoing-connections.ts'
import type { Dialect } from '../storage/dialect.ts'
import type { Storage } from '../storage/index.ts'
import { isLike, toPattern } from '../storage/is-like.ts'
import type { Schema } from '../storage/schema.ts'

const MOST_HOSTS = 500
const SEPARATOR = ','

type Query<Row> = SelectQueryBuilder<Schema, 'outgoing_connection', Row>

function narrow<Row>(
  query: Query<Row>,
  { text, purpose, outcome }: OutgoingFilter,
  dialect: Dialect,
): Query<Row> {
  let found = query
  if (text) found = found.where(isLike(dialect, ['host', 'address', 'name'], toPattern(text)))
  if (purpose) found = found.where('purpose', '=', purpose)
  if (outcome) found = found.where('outcome', '=', outcome)
  return found
}

/** SQL on the table `outgoing_connection`. */
export class OutgoingStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** Writes entries; updates existing ones. */
  async write(entries: readonly OutgoingConnection[]): Promise<void> {
    await this.#storage.transaction(async () => {
      for (const entry of entries) {
        const { id: _, ...values } = entry
        await this.#storage.run(
          this.#storage.builder
            .insertInto('outgoing_connection')
            .values(entry)
            .onConflict((conflict) => conflict.column('id').doUpdateSet(values)),
        )
      }
    })
  }

  list(
    filter: OutgoingFilter,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<OutgoingConnection[]> {
    const query = this.#storage.builder
      .selectFrom('outgoing_connection')
      .selectAll()
      .orderBy('began_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .offset(offset)
    return this.#storage.all(narrow(query, filter, this.#storage.dialect))
  }

  count(filter: OutgoingFilter): Promise<number> {
    const query = this.#storage.builder.selectFrom('outgoing_connection')
    return this.#storage.count(narrow(query, filter, this.#storage.dialect))
  }

  async hosts(filter: OutgoingFilter): Promise<OutgoingHost[]> {
    const query = this.#storage.builder
      .selectFrom('outgoing_connection')
      .select([
        'host',
        'port',
        sql<number>`sum(case when outcome = 'refused' then 0 else times end)`.as('connections'),
        sql<number>`sum(case when outcome = 'refused' then times else 0 end)`.as('refused'),
        sql<number>`sum(bytes_sent)`.as('bytes_sent'),
        sql<number>`sum(bytes_received)`.as('bytes_received'),
        sql<number>`max(began_at)`.as('last_at'),
        sql<string>`${sql.raw(this.#storage.dialect.joined('purpose'))}`.as('purposes'),
      ])
      .groupBy(['host', 'port'])
      .orderBy('last_at', 'desc')
      .limit(MOST_HOSTS)
    const rows = await this.#storage.all(narrow(query, filter, this.#storage.dialect))
    return rows.map(({ purposes, ...row }) => ({
      ...row,
      purposes: purposes.split(SEPARATOR) as OutgoingHost['purposes'],
    }))
  }

  /** Counts connections since a moment, including open ones: allowed and refused. */
  async countSince(moment: number): Promise<{ left: number; refused: number }> {
    const rows = await this.#storage.all(
      this.#storage.builder
        .selectFrom('outgoing_connection')
        .select((build) => ['outcome', build.fn.sum<number>('times').as('count')])
        .where((build) =>
          build.or([
            build('began_at', '>=', moment),
            build('ended_at', '>=', moment),
            build('outcome', '=', 'open'),
          ]),
        )
        .groupBy('outcome'),
    )
    const sum = (isRefused: boolean): number =>
      rows
        .filter(({ outcome }) => (outcome === 'refused') === isRefused)
        .reduce((total, { count }) => total + count, 0)
    return { left: sum(false), refused: sum(true) }
  }

  async oldest(): Promise<number | null> {
    const row = await this.#storage.get(
      this.#storage.builder
        .selectFrom('outgoing_connection')
        .select((build) => build.fn.min<number | null>('began_at').as('moment')),
    )
    return row?.moment ?? null
  }

  /** Connections that the previous process left open ended with it. */
  async closeOpen(): Promise<void> {
    await this.#storage.update('outgoing_connection', { outcome: 'open' }, { outcome: 'ended' })
  }

  /**
   * Deletes entries that started before a moment, and the oldest beyond the maximum; open ones
   * stay.
   */
  async prune(before: number, most: number): Promise<void> {
    const { builder } = this.#storage
    await this.#storage.transaction(async () => {
      const last = await this.#storage.get(
        builder
          .selectFrom('outgoing_connection')
          .select('began_at')
          .orderBy('began_at', 'desc')
          .offset(most)
          .limit(1),
      )
      const limit = Math.max(before, (last?.began_at ?? -1) + 1)
      await this.#storage.run(
        builder
          .deleteFrom('outgoing_connection')
          .where('began_at', '<', limit)
          .where('outcome', '!=', 'open'),
      )
    })
  }

  async clear(): Promise<void> {
    await this.#storage.run(
      this.#storage.builder.deleteFrom('outgoing_connection').where('outcome', '!=', 'open'),
    )
  }
}
