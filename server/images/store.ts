import { sql } from 'kysely'
import type { Picture } from '#contract/images.ts'
import type { Storage } from '../storage/index.ts'
import type { PictureTable } from '../storage/tables/images.ts'

export type PictureRow = Omit<PictureTable, 'seq'>

export interface PictureFilter {
  readonly userId: string
  /** Null for all. */
  readonly kind: Picture['kind'] | null
  /**
   * Part of the prompt, as a pattern of `like` with `\` before characters that stand for
   * themselves.
   */
  readonly pattern: string | null
}

export type PictureStore = ReturnType<typeof createPictureStore>

/** SQL on the table `picture`. */
export function createPictureStore(storage: Storage) {
  const { builder } = storage
  function select({ userId, kind, pattern }: PictureFilter) {
    let query = builder.selectFrom('picture').where('user_id', '=', userId)
    if (kind !== null) query = query.where('kind', '=', kind)
    if (pattern !== null) query = query.where(sql<boolean>`prompt like ${pattern} escape '\\'`)
    return query
  }
  return {
    insert: (row: PictureRow): void => void storage.run(builder.insertInto('picture').values(row)),
    get: (userId: string, fileId: string): PictureRow | null =>
      storage.get(
        builder
          .selectFrom('picture')
          .selectAll()
          .where('user_id', '=', userId)
          .where('file_id', '=', fileId),
      ) ?? null,
    list: (
      filter: PictureFilter,
      { offset, limit }: { offset: number; limit: number },
    ): PictureRow[] =>
      storage.all(select(filter).selectAll().orderBy('seq', 'desc').limit(limit).offset(offset)),
    count: (filter: PictureFilter): number =>
      storage.get(select(filter).select((each) => each.fn.countAll<number>().as('count')))!.count,
    remove: (fileId: string): void =>
      void storage.run(builder.deleteFrom('picture').where('file_id', '=', fileId)),
  }
}
