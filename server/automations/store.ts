import { sql } from 'kysely'
import type { Storage } from '../storage/index.ts'
import { isLike, toPattern } from '../storage/is-like.ts'
import type { AutomationRunTable, AutomationTable } from '../storage/tables/automations.ts'

export type AutomationRow = Readonly<AutomationTable>
export type RunRow = Readonly<AutomationRunTable>

const MOST_RUNS_KEPT = 200

interface ListQuery {
  readonly userId: string
  readonly words: string
  readonly isActive: boolean | null
  readonly offset: number
  readonly limit: number
}

/** SQL on the table `automation`. */
export class AutomationStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  async get(id: string): Promise<AutomationRow | null> {
    return await this.#storage.find('automation', id)
  }

  count(userId: string): Promise<number> {
    return this.#storage.count(
      this.#storage.builder.selectFrom('automation').where('user_id', '=', userId),
    )
  }

  /** Newest first. */
  async list({
    userId,
    words,
    isActive,
    offset,
    limit,
  }: ListQuery): Promise<{ rows: AutomationRow[]; total: number }> {
    let query = this.#storage.builder.selectFrom('automation').where('user_id', '=', userId)
    if (isActive !== null) query = query.where('is_active', '=', Number(isActive))
    if (words !== '') {
      const columns = ['name', sql<string>`data ->> '$.prompt'`]
      query = query.where(isLike(this.#storage.dialect, columns, toPattern(words)))
    }
    const rows = await this.#storage.all(
      query.selectAll().orderBy('created_at', 'desc').orderBy('id').limit(limit).offset(offset),
    )
    return { rows, total: await this.#storage.count(query) }
  }

  async insert(row: AutomationRow): Promise<void> {
    await this.#storage.insert('automation', row)
  }

  async update(id: string, changes: Partial<Omit<AutomationRow, 'id' | 'user_id'>>): Promise<void> {
    await this.#storage.update('automation', id, changes)
  }

  async remove(id: string): Promise<void> {
    await this.#storage.remove('automation', id)
  }

  /** Due automations, longest overdue first. */
  due(now: number, limit: number): Promise<AutomationRow[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('automation')
        .selectAll()
        .where('is_active', '=', sql.lit(1))
        .where('next_run_at', 'is not', null)
        .where('next_run_at', '<=', now)
        .orderBy('next_run_at')
        .limit(limit),
    )
  }

  /** Time of the next due run; null if there is none. */
  async nextDue(): Promise<number | null> {
    const row = await this.#storage.get(
      this.#storage.builder
        .selectFrom('automation')
        .select('next_run_at')
        .where('is_active', '=', sql.lit(1))
        .where('next_run_at', 'is not', null)
        .orderBy('next_run_at')
        .limit(1),
    )
    return row?.next_run_at ?? null
  }

  /** Claims a due time; resolves with false if another process claimed it or it was changed. */
  async claim({ id, next_run_at }: AutomationRow, next: number | null): Promise<boolean> {
    const changed = await this.#storage.update(
      'automation',
      { id, is_active: 1, next_run_at },
      { next_run_at: next },
    )
    return changed > 0
  }
}

/** SQL on the table `automation_run`. */
export class RunStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** Starts a run; resolves with false while another run of the same automation is in progress. */
  async insert(row: RunRow): Promise<boolean> {
    const added = await this.#storage.run(
      this.#storage.builder
        .insertInto('automation_run')
        .values(row)
        .onConflict((conflict) => conflict.doNothing()),
    )
    if (added > 0) await this.#prune(row.automation_id)
    return added > 0
  }

  /** Ends or updates a run in progress; resolves with false if it has already ended. */
  async update(
    id: string,
    changes: Partial<Pick<RunRow, 'status' | 'error' | 'chat_id' | 'ended_at'>>,
  ): Promise<boolean> {
    const changed = await this.#storage.update('automation_run', { id, status: 'running' }, changes)
    return changed > 0
  }

  /** Resolves with true if a run of the automation is in progress on any gateway. */
  async isRunning(automationId: string): Promise<boolean> {
    const running = this.#storage.builder
      .selectFrom('automation_run')
      .select('id')
      .where('automation_id', '=', automationId)
      .where('status', '=', sql.lit('running'))
    return (await this.#storage.get(running)) !== undefined
  }

  /** Newest first. */
  list(automationId: string, { skip, limit }: { skip: number; limit: number }): Promise<RunRow[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('automation_run')
        .selectAll()
        .where('automation_id', '=', automationId)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .offset(skip),
    )
  }

  /** Runs of a user that were due or started between two moments, newest first. */
  between(
    userId: string,
    { from, to, limit }: { from: number; to: number; limit: number },
  ): Promise<RunRow[]> {
    const { builder } = this.#storage
    const ids = builder.selectFrom('automation').select('id').where('user_id', '=', userId)
    const at = sql<number>`coalesce(planned_at, created_at)`
    return this.#storage.all(
      builder
        .selectFrom('automation_run')
        .selectAll()
        .where('automation_id', 'in', ids)
        .where(at, '>=', from)
        .where(at, '<', to)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(limit),
    )
  }

  get(id: string): Promise<RunRow | null> {
    return this.#storage.find('automation_run', id)
  }

  async last(automationId: string): Promise<RunRow | null> {
    return (await this.list(automationId, { skip: 0, limit: 1 }))[0] ?? null
  }

  /**
   * Ends the unfinished runs of gateways that `isGone` reports as gone; resolves with those runs.
   */
  async endUnfinished(
    error: string,
    now: number,
    isGone: (replica: string | null) => boolean,
  ): Promise<RunRow[]> {
    return this.#storage.transaction(async () => {
      const running = await this.#storage.all(
        this.#storage.builder
          .selectFrom('automation_run')
          .selectAll()
          .where('status', '=', sql.lit('running')),
      )
      const rows = running.filter(({ replica }) => isGone(replica))
      for (const { id } of rows) await this.update(id, { status: 'error', error, ended_at: now })
      return rows
    })
  }

  async #prune(automationId: string): Promise<void> {
    const old = this.#storage.builder
      .selectFrom('automation_run')
      .select('id')
      .where('automation_id', '=', automationId)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(Number.MAX_SAFE_INTEGER)
      .offset(MOST_RUNS_KEPT)
    await this.#storage.run(
      this.#storage.builder
        .deleteFrom('automation_run')
        .where('automation_id', '=', automationId)
        .where('status', '!=', 'running')
        .where('id', 'in', old),
    )
  }
}
