import { sql } from 'kysely'
import type { SizedId } from '../lib/timing/read-in-groups.ts'
import { toIndexText } from '../lib/text/words.ts'
import { among } from '../storage/among.ts'
import { rowsMatching } from '../storage/dialect.ts'
import type { Storage } from '../storage/index.ts'
import { selectShared, type SharedFilter } from '../storage/select-shared.ts'
import type { NoteTable } from '../storage/tables/prompts-memories-notes.ts'

export type NoteRow = Omit<NoteTable, 'seq'>

/** Criteria for listing notes. Null omits a criterion. */
export interface NoteFilter extends SharedFilter {
  readonly pinnedOnly: boolean
  /** An index query. */
  readonly match: string | null
}

export interface NoteOrder {
  readonly by: 'title' | 'created_at' | 'updated_at'
  readonly direction: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
}

const COLUMNS = ['id', 'user_id', 'title', 'data', 'meta', 'created_at', 'updated_at'] as const

/** SQL on the table `note` and its index. */
export class NoteStore {
  readonly #storage: Storage
  readonly #index

  constructor(storage: Storage) {
    this.#storage = storage
    this.#index = storage.prepare(
      storage.dialect.putWords({
        index: 'note_search',
        columns: ['title', 'content'],
        rows: 'select seq, ?, ? from note where id = ?',
      }),
    )
  }

  ids(filter: NoteFilter, { by, direction, offset, limit }: NoteOrder): Promise<SizedId[]> {
    return this.#storage.all(
      this.#select(filter)
        .select(['id', sql<number>`octet_length(data) + octet_length(meta)`.as('bytes')])
        .orderBy(by, direction)
        .orderBy('seq', direction)
        .limit(limit)
        .offset(offset),
    )
  }

  count(filter: NoteFilter): Promise<number> {
    return this.#storage.count(this.#select(filter))
  }

  async get(id: string): Promise<NoteRow | null> {
    return (
      (await this.#storage.get(
        this.#storage.builder.selectFrom('note').select(COLUMNS).where('id', '=', id),
      )) ?? null
    )
  }

  /** In any order; those deleted meanwhile are missing. */
  several(ids: readonly string[]): Promise<NoteRow[]> {
    return this.#storage.all(
      this.#storage.builder.selectFrom('note').select(COLUMNS).where('id', 'in', among(ids)),
    )
  }

  async insert(row: NoteRow): Promise<void> {
    await this.#storage.insert('note', row)
  }

  async update(id: string, changes: Partial<Omit<NoteRow, 'id' | 'user_id'>>): Promise<void> {
    await this.#storage.update('note', id, changes)
  }

  async isPinned(userId: string, id: string): Promise<boolean> {
    return (
      (await this.#storage.get(
        this.#storage.builder
          .selectFrom('pinned_note')
          .select('note_id')
          .where('user_id', '=', userId)
          .where('note_id', '=', id),
      )) !== undefined
    )
  }

  /** Ids of the notes a user pinned. */
  async pinnedIds(userId: string): Promise<ReadonlySet<string>> {
    const rows = await this.#storage.all(
      this.#storage.builder
        .selectFrom('pinned_note')
        .select('note_id')
        .where('user_id', '=', userId),
    )
    return new Set(rows.map(({ note_id: id }) => id))
  }

  async pin(userId: string, id: string): Promise<void> {
    await this.#storage.insert('pinned_note', { user_id: userId, note_id: id })
  }

  async unpin(userId: string, id: string): Promise<void> {
    await this.#storage.remove('pinned_note', { user_id: userId, note_id: id })
  }

  /** `words` are the terms of the text as indexed. */
  async index(id: string, title: string, words: string): Promise<void> {
    await this.#index.run(toIndexText(title), words, id)
  }

  async remove(id: string): Promise<void> {
    await this.#storage.remove('note', id)
  }

  #select({ pinnedOnly, match, ...shared }: NoteFilter) {
    let query = selectShared(this.#storage, 'note', shared)
    if (pinnedOnly) {
      const pinned = this.#storage.builder
        .selectFrom('pinned_note')
        .select('note_id')
        .where('user_id', '=', shared.reader.userId)
      query = query.where('id', 'in', pinned)
    }
    if (match !== null) {
      query = query.where('seq', 'in', rowsMatching(this.#storage.dialect, 'note_search', match))
    }
    return query
  }
}
