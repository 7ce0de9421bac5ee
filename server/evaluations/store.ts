import { sql } from 'kysely'
import type { Feedback, FullFeedback } from '#contract/evaluations.ts'
import type { SizedId } from '../lib/timing/read-in-groups.ts'
import { among } from '../storage/among.ts'
import type { Storage } from '../storage/index.ts'
import type { EvaluationsTables } from '../storage/tables/evaluations.ts'
import { ratingOf, type RatingTime } from './leaderboard.ts'

const VERSION = 0
const COLUMNS = ['id', 'user_id', 'type', 'data', 'meta', 'created_at', 'updated_at'] as const

type Columns = Pick<EvaluationsTables['feedback'], (typeof COLUMNS)[number]>

const parse = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>

const toFeedback = ({ data, meta, ...row }: Columns): Feedback => ({
  ...row,
  version: VERSION,
  data: parse(data),
  meta: parse(meta),
})

const toFull = ({ snapshot, ...row }: Columns & { snapshot: string | null }): FullFeedback => ({
  ...toFeedback(row),
  snapshot: snapshot === null ? null : parse(snapshot),
})

const toColumns = ({ id, user_id, type, data, meta, created_at, updated_at }: FullFeedback) => ({
  id,
  user_id,
  type,
  model_id: data.model_id ?? null,
  rating: ratingOf(data),
  data: JSON.stringify(data),
  meta: JSON.stringify(meta),
  created_at,
  updated_at,
})

interface FeedbackPage {
  readonly modelId: string | undefined
  readonly orderBy: 'created_at' | 'updated_at' | 'model_id' | 'rating'
  readonly direction: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
}

/** SQL on the table `feedback`. */
export class FeedbackStore {
  readonly #storage: Storage
  readonly #all

  constructor(storage: Storage) {
    this.#storage = storage
    this.#all = storage.builder.selectFrom('feedback').select(COLUMNS)
  }

  async get(id: string): Promise<FullFeedback | null> {
    const row = await this.#storage.get(this.#all.select('snapshot').where('id', '=', id))
    return row ? toFull(row) : null
  }

  /** Oldest first, with their sizes, those of their snapshots included if they are read too. */
  sizedIds({ withSnapshots }: { readonly withSnapshots: boolean }): Promise<SizedId[]> {
    const snapshot = sql`coalesce(octet_length(snapshot), 0)`
    const bytes = sql<number>`octet_length(data) + octet_length(meta) + ${withSnapshots ? snapshot : sql`0`}`
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('feedback')
        .select(['id', bytes.as('bytes')])
        .orderBy('seq'),
    )
  }

  /** Oldest first. */
  ids(): Promise<{ id: string; user_id: string; created_at: number; updated_at: number }[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('feedback')
        .select(['id', 'user_id', 'created_at', 'updated_at'])
        .orderBy('seq'),
    )
  }

  /** Newest first. */
  async idsOfUser(userId: string): Promise<string[]> {
    return (
      await this.#storage.all(
        this.#storage.builder
          .selectFrom('feedback')
          .select('id')
          .where('user_id', '=', userId)
          .orderBy('seq', 'desc'),
      )
    ).map(({ id }) => id)
  }

  count(userId: string): Promise<number> {
    return this.#storage.count(
      this.#storage.builder.selectFrom('feedback').where('user_id', '=', userId),
    )
  }

  /** Without their snapshots, in any order; those deleted meanwhile are missing. */
  async several(ids: readonly string[]): Promise<Feedback[]> {
    const rows = await this.#storage.all(this.#all.where('id', 'in', among(ids)))
    return rows.map(toFeedback)
  }

  /** Returns the JSON of whole ratings without parsing the snapshots. */
  async severalTexts(ids: readonly string[]): Promise<{ id: string; text: string }[]> {
    const rows = await this.#storage.all(this.#all.select('snapshot').where('id', 'in', among(ids)))
    return rows.map((row) => ({
      id: row.id,
      text: `${JSON.stringify(toFeedback(row)).slice(0, -1)},"snapshot":${row.snapshot ?? 'null'}}`,
    }))
  }

  /** Oldest first. */
  timesOfModel(modelId: string): Promise<RatingTime[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('feedback')
        .select(['rating', 'created_at'])
        .where('model_id', '=', modelId)
        .orderBy('seq'),
    )
  }

  async page({ modelId, orderBy, direction, offset, limit }: FeedbackPage): Promise<{
    items: Feedback[]
    total: number
  }> {
    const matching = this.#storage.builder
      .selectFrom('feedback')
      .where((where) => (modelId === undefined ? where.lit(true) : where('model_id', '=', modelId)))
    const rows = await this.#storage.all(
      matching
        .select(COLUMNS)
        .orderBy(orderBy, direction)
        .orderBy('seq', direction)
        .limit(limit)
        .offset(offset),
    )
    const total = await this.#storage.count(matching)
    return { items: rows.map(toFeedback), total }
  }

  async modelIds(): Promise<string[]> {
    return (
      await this.#storage.all(
        this.#storage.builder
          .selectFrom('feedback')
          .select('model_id')
          .distinct()
          .where('model_id', 'is not', null)
          .orderBy('model_id'),
      )
    ).flatMap(({ model_id }) => model_id ?? [])
  }

  /** `snapshot` is the JSON of its chat. */
  async insert(feedback: FullFeedback, snapshot: string | null): Promise<void> {
    const columns = { ...toColumns(feedback), snapshot }
    await this.#storage.insert('feedback', columns)
  }

  /** Without a `snapshot` the stored one is kept. */
  async update(feedback: FullFeedback, snapshot: string | null): Promise<void> {
    const { id, ...columns } = toColumns(feedback)
    const changes = { ...columns, ...(snapshot !== null && { snapshot }) }
    await this.#storage.update('feedback', id, changes)
  }

  async remove(id: string): Promise<void> {
    await this.#storage.remove('feedback', id)
  }

  /**
   * Removes one rating of a user, or of any user for null, because each may hold a long chat;
   * resolves with false if none is left.
   */
  async removeOne(userId: string | null): Promise<boolean> {
    const ofUser = this.#storage.builder
      .selectFrom('feedback')
      .select('seq')
      .where((where) => (userId === null ? where.lit(true) : where('user_id', '=', userId)))
    return (await this.#storage.remove('feedback', { seq: ofUser.limit(1) })) > 0
  }
}
