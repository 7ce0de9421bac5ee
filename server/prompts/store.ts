import { sql } from 'kysely'
import type { SizedId } from '../lib/timing/read-in-groups.ts'
import { among } from '../storage/among.ts'
import type { Storage } from '../storage/index.ts'
import { isLike, toPattern } from '../storage/is-like.ts'
import { selectShared, type SharedFilter } from '../storage/select-shared.ts'
import type { PromptTable, PromptVersionTable } from '../storage/tables/prompts-memories-notes.ts'

export type PromptRow = PromptTable
export type VersionRow = Omit<PromptVersionTable, 'seq'>

/** Criteria for listing prompts. Null omits a criterion. */
export interface PromptFilter extends SharedFilter {
  readonly text: string | null
  readonly tag: string | null
}

export interface PromptOrder {
  readonly by: 'name' | 'command' | 'created_at' | 'updated_at'
  readonly direction: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
}

/** Returns the command without its slash, which identifies a prompt. */
const toBareCommand = (command: string): string => command.replace(/^\/+/, '')

/** SQL on the table `prompt`. */
export class PromptStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  ids(filter: PromptFilter, { by, direction, offset, limit }: PromptOrder): Promise<SizedId[]> {
    const bytes = sql<number>`octet_length(content) + octet_length(tags) + octet_length(data) + octet_length(meta)`
    return this.#storage.all(
      this.#select(filter)
        .select(['id', bytes.as('bytes')])
        .orderBy(by === 'command' ? sql`ltrim(command, '/')` : by, direction)
        .orderBy('id')
        .limit(limit)
        .offset(offset),
    )
  }

  /** The tags of each prompt, as JSON. */
  async tags(filter: PromptFilter): Promise<string[]> {
    return (await this.#storage.all(this.#select(filter).select('tags'))).map(({ tags }) => tags)
  }

  count(filter: PromptFilter): Promise<number> {
    return this.#storage.count(this.#select(filter))
  }

  get(id: string): Promise<PromptRow | null> {
    return this.#storage.find('prompt', id)
  }

  /** In any order; those deleted meanwhile are missing. */
  several(ids: readonly string[]): Promise<PromptRow[]> {
    return this.#storage.all(
      this.#storage.builder.selectFrom('prompt').selectAll().where('id', 'in', among(ids)),
    )
  }

  async findByCommand(command: string): Promise<PromptRow | null> {
    return (
      (await this.#storage.get(
        this.#storage.builder
          .selectFrom('prompt')
          .selectAll()
          .where(sql`ltrim(command, '/')`, '=', toBareCommand(command)),
      )) ?? null
    )
  }

  async insert(row: PromptRow): Promise<void> {
    await this.#storage.insert('prompt', row)
  }

  async update(id: string, changes: Partial<Omit<PromptRow, 'id' | 'user_id'>>): Promise<void> {
    await this.#storage.update('prompt', id, changes)
  }

  async remove(id: string): Promise<void> {
    await this.#storage.remove('prompt', id)
  }

  #select({ text, tag, ...shared }: PromptFilter) {
    let query = selectShared(this.#storage, 'prompt', shared)
    if (tag !== null)
      query = query.where(sql<boolean>`exists (select 1 from json_each(tags) where value = ${tag})`)
    if (text !== null) {
      const columns = ['name', 'command', 'content']
      query = query.where(isLike(this.#storage.dialect, columns, toPattern(text)))
    }
    return query
  }
}

const VERSION_COLUMNS = [
  'id',
  'prompt_id',
  'parent_id',
  'snapshot',
  'commit_message',
  'user_id',
  'created_at',
] as const

/** SQL on the table `prompt_version`. */
export class VersionStore {
  readonly #storage: Storage
  readonly #versions

  constructor(storage: Storage) {
    this.#storage = storage
    this.#versions = storage.builder.selectFrom('prompt_version').select(VERSION_COLUMNS)
  }

  async remove(id: string): Promise<void> {
    await this.#storage.transaction(async () => {
      const parent = this.#storage.builder
        .selectFrom('prompt_version as removed')
        .select('removed.parent_id')
        .where('removed.id', '=', id)
      await this.#storage.update('prompt_version', { parent_id: id }, { parent_id: parent })
      await this.#storage.remove('prompt_version', id)
    })
  }

  /** Newest first. */
  ids(promptId: string, { offset, limit }: { offset: number; limit: number }): Promise<SizedId[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('prompt_version')
        .select(['id', sql<number>`octet_length(snapshot)`.as('bytes')])
        .where('prompt_id', '=', promptId)
        .orderBy('seq', 'desc')
        .limit(limit)
        .offset(offset),
    )
  }

  /** In any order; those deleted meanwhile are missing. */
  several(ids: readonly string[]): Promise<VersionRow[]> {
    return this.#storage.all(this.#versions.where('id', 'in', among(ids)))
  }

  async get(promptId: string, id: string): Promise<VersionRow | null> {
    return (
      (await this.#storage.get(
        this.#versions.where('prompt_id', '=', promptId).where('id', '=', id),
      )) ?? null
    )
  }

  async insert(row: VersionRow): Promise<void> {
    await this.#storage.insert('prompt_version', row)
  }
}
