import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import type { AnalyticsRange, AnalyticsSummary, BareMessage } from '#contract/analytics.ts'
import type { TimeUnit } from '../storage/dialect.ts'
import type { Storage } from '../storage/index.ts'
import type { Schema } from '../storage/schema.ts'

const MODEL = sql<string>`coalesce(message.model, '')`
const COUNT = sql<number>`count(*)`
/**
 * Not the bare column, because the query would then scan all chats of the users instead of the time
 * range.
 */
const OWNER = sql<string>`coalesce(chat.user_id, '')`
/**
 * Not the bare column: without statistics, PostgreSQL would scan the whole index of the answers for
 * each chat.
 */
const CHAT = sql<string>`coalesce(message.chat_id, '')`
const UNITS = { daily: 'day', hourly: 'hour' } as const
export type Granularity = keyof typeof UNITS

/** Answers that are counted together. */
export interface Tally {
  readonly model: string
  readonly count: number
  readonly input: number
  readonly output: number
}

interface Slice {
  readonly skip: number
  readonly limit: number
}

interface MessageFilter extends Pick<AnalyticsRange, 'start_date' | 'end_date'> {
  readonly model_id?: string
  readonly user_id?: string
  readonly chat_id?: string
}

type Span = Pick<AnalyticsRange, 'start_date' | 'end_date'>

type Query<Row> = SelectQueryBuilder<Schema, 'message' | 'chat', Row>

/** Times of messages are whole seconds; PostgreSQL compares them with no fractions. */
function within<Row>(query: Query<Row>, { start_date: start, end_date: end }: Span): Query<Row> {
  let found = query
  if (start !== undefined) found = found.where('message.timestamp', '>=', Math.ceil(start))
  if (end !== undefined) found = found.where('message.timestamp', '<=', Math.floor(end))
  return found
}

/**
 * Reads figures across the tables of chats, groups and ratings and writes nothing. Each statement
 * reads as many answers as the time range contains, off the event loop.
 */
export class AnalyticsStore {
  readonly #storage: Storage
  readonly #input: RawBuilder<number>
  readonly #output: RawBuilder<number>

  constructor(storage: Storage) {
    this.#storage = storage
    const { dialect } = storage
    this.#input = sql.raw(dialect.tokens('input'))
    this.#output = sql.raw(dialect.tokens('output'))
  }

  async summary(range: AnalyticsRange): Promise<AnalyticsSummary> {
    const [row] = await this.#storage.allBeside(
      this.#answers(range).select([
        COUNT.as('total_messages'),
        sql<number>`count(distinct message.chat_id)`.as('total_chats'),
        sql<number>`count(distinct message.model)`.as('total_models'),
        sql<number>`count(distinct chat.user_id)`.as('total_users'),
      ]),
    )
    return row!
  }

  /** The busiest model first. */
  byModel(range: AnalyticsRange): Promise<Tally[]> {
    return this.#storage.allBeside(
      this.#tallies(range).groupBy(MODEL).orderBy('count', 'desc').orderBy('model'),
    )
  }

  /** Grouped by day or hour and by model, in order. */
  byTime(range: AnalyticsRange, granularity: Granularity): Promise<(Tally & { date: string })[]> {
    const date = this.#localTime('message.timestamp', UNITS[granularity])
    return this.#storage.allBeside(
      this.#tallies(range)
        .select(date.as('date'))
        .groupBy(['date', MODEL])
        .orderBy('date')
        .orderBy('model'),
    )
  }

  /** The busiest users, each with their models. */
  async byPerson(
    range: AnalyticsRange,
    limit: number,
  ): Promise<(Tally & { user_id: string; name: string; email: string })[]> {
    const busiest = await this.#storage.allBeside(
      this.#answers(range)
        .select(['chat.user_id', COUNT.as('count')])
        .groupBy('chat.user_id')
        .orderBy('count', 'desc')
        .orderBy('chat.user_id')
        .limit(limit),
    )
    const ids = busiest.map(({ user_id }) => user_id)
    if (ids.length === 0) return []
    const place = new Map(ids.map((id, index) => [id, index]))
    const rows = await this.#storage.allBeside(
      this.#tallies(range)
        .innerJoin('user', 'user.id', 'chat.user_id')
        .select(['chat.user_id', 'user.name', 'user.email'])
        .where(OWNER, 'in', ids)
        .groupBy(['chat.user_id', 'user.id', MODEL]),
    )
    return rows.toSorted((one, other) => place.get(one.user_id)! - place.get(other.user_id)!)
  }

  /** Newest first. */
  async messages(filter: MessageFilter, { skip, limit }: Slice): Promise<BareMessage[]> {
    let query = this.#storage.builder
      .selectFrom('message')
      .innerJoin('chat', 'chat.id', 'message.chat_id')
      .where('chat.deleted_at', 'is', null)
    const { model_id: model, user_id: user, chat_id: chat } = filter
    if (model !== undefined)
      query = query
        .where('message.model', '=', model)
        .where('message.role', '=', sql.lit('assistant'))
    if (user !== undefined) query = query.where('chat.user_id', '=', user)
    if (chat !== undefined) query = query.where('message.chat_id', '=', chat)
    const rows = await this.#storage.allBeside(
      within(query, filter)
        .select([
          'message.id',
          'message.chat_id',
          'chat.user_id',
          'message.role',
          'message.parent_id',
          'message.model',
          'message.done',
          'message.timestamp',
          this.#input.as('input'),
          this.#output.as('output'),
        ])
        .orderBy('message.timestamp', 'desc')
        .orderBy('message.seq', 'desc')
        .limit(limit)
        .offset(skip),
    )
    return rows.map(({ model: model_id, done, timestamp, input, output, ...row }) => ({
      ...row,
      content: null,
      output: null,
      model_id,
      files: null,
      sources: null,
      embeds: null,
      done: done !== 0,
      status_history: null,
      error: null,
      usage:
        input + output === 0
          ? null
          : { input_tokens: input, output_tokens: output, total_tokens: input + output },
      created_at: timestamp,
      updated_at: timestamp,
    }))
  }

  /** Chats with answers of a model, newest first. */
  async chats(model: string, span: Span, { skip, limit }: Slice) {
    const found = this.#answers(span).where('message.model', '=', model)
    const rows = await this.#storage.allBeside(
      found
        .innerJoin('user', 'user.id', 'chat.user_id')
        .select(['message.chat_id', 'chat.user_id', 'user.name as user_name', 'chat.updated_at'])
        .groupBy(['message.chat_id', 'chat.seq', 'user.id'])
        .orderBy('chat.updated_at', 'desc')
        .orderBy('message.chat_id')
        .limit(limit)
        .offset(skip),
    )
    const [count] = await this.#storage.allBeside(
      found.select(sql<number>`count(distinct message.chat_id)`.as('total')),
    )
    return { chats: rows.map((row) => ({ ...row, first_message: null })), total: count!.total }
  }

  /** Ratings of a model's answers by day. */
  verdicts(model: string, since: number): Promise<{ date: string; won: number; lost: number }[]> {
    return this.#storage.allBeside(
      this.#storage.builder
        .selectFrom('feedback')
        .select([
          this.#localTime('created_at', 'day').as('date'),
          sql<number>`count(*) filter (where rating = 1)`.as('won'),
          sql<number>`count(*) filter (where rating = -1)`.as('lost'),
        ])
        .where('model_id', '=', model)
        .where('created_at', '>=', since)
        .where('rating', 'is not', null)
        .groupBy('date'),
    )
  }

  /** Tags given in ratings of a model, most frequent first. */
  tags(model: string, limit: number): Promise<{ tag: string; count: number }[]> {
    return this.#storage.allBeside(
      this.#storage.builder
        .selectFrom(['feedback', sql<{ value: string }>`json_each(data -> '$.tags')`.as('each')])
        .select([sql<string>`each.value`.as('tag'), COUNT.as('count')])
        .where('model_id', '=', model)
        .groupBy('tag')
        .orderBy('count', 'desc')
        .orderBy('tag')
        .limit(limit),
    )
  }

  #localTime(column: string, unit: TimeUnit): RawBuilder<string> {
    return sql.raw(this.#storage.dialect.localTime(column, unit))
  }

  #answers({ group_id: group, ...span }: AnalyticsRange) {
    const answers = this.#storage.builder
      .selectFrom('message')
      .innerJoin('chat', (join) => join.on('chat.id', '=', CHAT))
      .where('message.role', '=', sql.lit('assistant'))
      .where('chat.deleted_at', 'is', null)
    const found = group
      ? answers.where(OWNER, 'in', (inner) =>
          inner.selectFrom('user_group_member').select('user_id').where('group_id', '=', group),
        )
      : answers
    return within(found, span)
  }

  #tallies(range: AnalyticsRange) {
    return this.#answers(range).select([
      MODEL.as('model'),
      COUNT.as('count'),
      sql<number>`sum(${this.#input})`.as('input'),
      sql<number>`sum(${this.#output})`.as('output'),
    ])
  }
}
