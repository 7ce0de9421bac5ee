import type { Picture } from '#contract/images.ts'
import type { FileEntry, Files } from '../files/index.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { CheckedPicture } from './check-picture.ts'
import type { ListedPicture, PictureRow, PictureStore } from './store.ts'

/** Stored metadata of an image. */
export type PictureFacts = Pick<
  PictureRow,
  | 'kind'
  | 'engine'
  | 'model'
  | 'prompt'
  | 'negative_prompt'
  | 'size'
  | 'seed'
  | 'steps'
  | 'chat_id'
  | 'message_id'
> & { readonly sourceIds: readonly string[] }

export interface KeepParts {
  readonly store: PictureStore
  readonly files: Files
}

const extensionOf = (type: string): string =>
  type === 'image/jpeg' ? 'jpg' : type.slice('image/'.length)

export const addressOfFile = (id: string): string => `/api/v1/files/${id}/content`

const addressOfPreview = (id: string): string => `/api/v1/images/gallery/${id}/preview`

export function toPicture(row: ListedPicture, file: FileEntry): Picture {
  const { file_id: id, user_id: _user, source_ids: sourceIds, preview_id: previewId, ...rest } = row
  const { name, content_type: contentType, size: bytes } = file.meta
  return {
    id,
    url: addressOfFile(id),
    preview: previewId === null ? null : addressOfPreview(id),
    filename: name,
    content_type: contentType,
    bytes,
    ...rest,
    source_ids: JSON.parse(sourceIds) as string[],
  }
}

/**
 * Stores an image as a file of its owner, and records its parameters. `sent` becomes the metadata
 * of the file.
 */
export async function keepPicture(
  { store, files }: KeepParts,
  ownerId: string,
  picture: CheckedPicture,
  { facts, sent }: { facts: PictureFacts; sent: Record<string, unknown> },
): Promise<Picture> {
  const filename = `generated-image.${extensionOf(picture.type)}`
  const content = {
    filename,
    contentType: picture.type,
    content: { bytes: picture.bytes },
    metadata: sent,
  }
  const { sourceIds, ...rest } = facts
  const row = {
    ...rest,
    user_id: ownerId,
    width: picture.width,
    height: picture.height,
    source_ids: JSON.stringify(sourceIds),
    created_at: nowSeconds(),
  }
  const file = await files.create(
    ownerId,
    { ...content, along: async (id) => store.insert({ ...row, file_id: id }) },
    { process: false, background: true },
  )
  return toPicture({ ...row, file_id: file.id, preview_id: null }, file)
}
