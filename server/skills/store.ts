import { sql } from 'kysely'
import type { SizedId } from '../lib/timing/read-in-groups.ts'
import { among } from '../storage/among.ts'
import type { Storage } from '../storage/index.ts'
import { isLike, toPattern } from '../storage/is-like.ts'
import { selectShared, type SharedFilter } from '../storage/select-shared.ts'
import type { SkillFileTable, SkillTable } from '../storage/tables/skills.ts'

export type SkillRow = SkillTable
export type FileRow = Pick<SkillFileTable, 'path' | 'size' | 'updated_at'>

/** Criteria for listing skills. Null omits a criterion. */
export interface SkillFilter extends SharedFilter {
  readonly text: string | null
}

/** SQL on the table `skill`. */
export class SkillStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** By name. */
  async ids(
    filter: SkillFilter,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<SizedId[]> {
    const bytes = sql<number>`octet_length(description) + octet_length(content) + octet_length(meta)`
    const query = this.#select(filter).select(['id', bytes.as('bytes')])
    return await this.#storage.all(query.orderBy('name').orderBy('id').limit(limit).offset(offset))
  }

  count(filter: SkillFilter): Promise<number> {
    return this.#storage.count(this.#select(filter))
  }

  get(id: string): Promise<SkillRow | null> {
    return this.#storage.find('skill', id)
  }

  /** In any order; those deleted meanwhile are missing. */
  several(ids: readonly string[]): Promise<SkillRow[]> {
    return this.#storage.all(
      this.#storage.builder.selectFrom('skill').selectAll().where('id', 'in', among(ids)),
    )
  }

  async findByName(name: string): Promise<{ id: string } | null> {
    const query = this.#storage.builder.selectFrom('skill').select('id').where('name', '=', name)
    return (await this.#storage.get(query)) ?? null
  }

  async insert(row: SkillRow): Promise<void> {
    await this.#storage.insert('skill', row)
  }

  async update(id: string, changes: Partial<Omit<SkillRow, 'id' | 'user_id'>>): Promise<void> {
    await this.#storage.update('skill', id, changes)
  }

  async remove(id: string): Promise<void> {
    await this.#storage.remove('skill', id)
  }

  #select({ text, ...shared }: SkillFilter) {
    let query = selectShared(this.#storage, 'skill', shared)
    if (text !== null) {
      const columns = ['id', 'name', 'description']
      query = query.where(isLike(this.#storage.dialect, columns, toPattern(text)))
    }
    return query
  }
}

/** SQL on the table `skill_file`. */
export class SkillFileStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** By path, without their bytes. */
  list(skillId: string): Promise<FileRow[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('skill_file')
        .select(['path', 'size', 'updated_at'])
        .where('skill_id', '=', skillId)
        .orderBy('path'),
    )
  }

  async read(skillId: string, path: string): Promise<Buffer | null> {
    const query = this.#storage.builder
      .selectFrom('skill_file')
      .select('content')
      .where('skill_id', '=', skillId)
      .where('path', '=', path)
    return (await this.#storage.get(query))?.content ?? null
  }

  async insert(
    skillId: string,
    file: { readonly path: string; readonly content: Buffer; readonly updatedAt: number },
  ): Promise<void> {
    const { path, content, updatedAt } = file
    await this.#storage.insert('skill_file', {
      skill_id: skillId,
      path,
      size: content.length,
      content,
      updated_at: updatedAt,
    })
  }

  async remove(skillId: string, path: string): Promise<void> {
    await this.#storage.remove('skill_file', { skill_id: skillId, path })
  }
}
