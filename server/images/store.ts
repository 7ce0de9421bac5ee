import { sql } from 'kysely'
import type { Picture } from '#contract/images.ts'
import type { Storage } from '../storage/index.ts'
import type { PicturePreviewTable, PictureTable } from '../storage/tables/images.ts'

export type PictureRow = Omit<PictureTable, 'seq'>
/** A picture with the id of its preview, which is its own; null while there is none. */
export type ListedPicture = PictureRow & { readonly preview_id: string | null }

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

/** SQL on the tables `picture` and `picture_preview`. */
export function createPictureStore(storage: Storage) {
  const { builder } = storage
  function select({ userId, kind, pattern }: PictureFilter) {
    let query = builder.selectFrom('picture').where('user_id', '=', userId)
    if (kind !== null) query = query.where('kind', '=', kind)
    if (pattern !== null) query = query.where(sql<boolean>`prompt like ${pattern} escape '\\'`)
    return query
  }
  const withPreview = (query: ReturnType<typeof select>) =>
    query
      .leftJoin('picture_preview', 'picture_preview.file_id', 'picture.file_id')
      .selectAll('picture')
      .select('picture_preview.file_id as preview_id')
  return {
    async insert(row: PictureRow): Promise<void> {
      await storage.run(builder.insertInto('picture').values(row))
    },
    get: async (userId: string, fileId: string): Promise<ListedPicture | null> =>
      (await storage.get(
        withPreview(builder.selectFrom('picture').where('user_id', '=', userId)).where(
          'picture.file_id',
          '=',
          fileId,
        ),
      )) ?? null,
    list: (
      filter: PictureFilter,
      { offset, limit }: { offset: number; limit: number },
    ): Promise<ListedPicture[]> =>
      storage.all(withPreview(select(filter)).orderBy('seq', 'desc').limit(limit).offset(offset)),
    count: async (filter: PictureFilter): Promise<number> =>
      (await storage.get(select(filter).select((each) => each.fn.countAll<number>().as('count'))))!
        .count,
    async remove(fileId: string): Promise<void> {
      await storage.run(builder.deleteFrom('picture').where('file_id', '=', fileId))
    },
    preview: async (fileId: string): Promise<PicturePreviewTable | null> =>
      (await storage.get(
        builder.selectFrom('picture_preview').selectAll().where('file_id', '=', fileId),
      )) ?? null,
    async keepPreview(row: PicturePreviewTable): Promise<void> {
      await storage.run(
        builder
          .insertInto('picture_preview')
          .values(row)
          .onConflict((each) => each.column('file_id').doUpdateSet({ bytes: row.bytes })),
      )
    },
  }
}
