import type { SelectQueryBuilder } from 'kysely'
import type { Picture } from '#contract/images.ts'
import type { Storage } from '../storage/index.ts'
import { isLike } from '../storage/is-like.ts'
import type { Schema } from '../storage/schema.ts'
import type { PicturePreviewTable, PictureTable } from '../storage/tables/images.ts'

export type PictureRow = Omit<PictureTable, 'seq'>
/** An image with the id of its preview; null if there is none. */
export type ListedPicture = PictureRow & { readonly preview_id: string | null }

export interface PictureFilter {
  readonly userId: string
  /** Null for all kinds. */
  readonly kind: Picture['kind'] | null
  /** Part of the prompt, as a `like` pattern with `\` before literal characters. */
  readonly pattern: string | null
}

const withPreview = (query: SelectQueryBuilder<Schema, 'picture', object>) =>
  query
    .leftJoin('picture_preview', 'picture_preview.file_id', 'picture.file_id')
    .selectAll('picture')
    .select('picture_preview.file_id as preview_id')

/** SQL on the tables `picture` and `picture_preview`. */
export class PictureStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  async insert(row: PictureRow): Promise<void> {
    await this.#storage.insert('picture', row)
  }

  async get(userId: string, fileId: string): Promise<ListedPicture | null> {
    const own = this.#storage.builder.selectFrom('picture').where('user_id', '=', userId)
    return (await this.#storage.get(withPreview(own).where('picture.file_id', '=', fileId))) ?? null
  }

  list(
    filter: PictureFilter,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<ListedPicture[]> {
    const found = withPreview(this.#select(filter)).orderBy('seq', 'desc')
    return this.#storage.all(found.limit(limit).offset(offset))
  }

  count(filter: PictureFilter): Promise<number> {
    return this.#storage.count(this.#select(filter))
  }

  async remove(fileId: string): Promise<void> {
    await this.#storage.remove('picture', { file_id: fileId })
  }

  async preview(fileId: string): Promise<PicturePreviewTable | null> {
    const previews = this.#storage.builder.selectFrom('picture_preview').selectAll()
    return (await this.#storage.get(previews.where('file_id', '=', fileId))) ?? null
  }

  async keepPreview(row: PicturePreviewTable): Promise<void> {
    await this.#storage.run(
      this.#storage.builder
        .insertInto('picture_preview')
        .values(row)
        .onConflict((each) => each.column('file_id').doUpdateSet({ bytes: row.bytes })),
    )
  }

  #select({ userId, kind, pattern }: PictureFilter) {
    let query = this.#storage.builder.selectFrom('picture').where('user_id', '=', userId)
    if (kind !== null) query = query.where('kind', '=', kind)
    if (pattern !== null) query = query.where(isLike(this.#storage.dialect, ['prompt'], pattern))
    return query
  }
}
