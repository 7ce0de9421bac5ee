import type { Generated } from 'kysely'
import type { Picture } from '#contract/images.ts'

/** A picture of the gallery. `source_ids` is a JSON list; times are unix seconds. */
export interface PictureTable {
  seq: Generated<number>
  file_id: string
  user_id: string
  kind: Picture['kind']
  engine: string
  model: string
  prompt: string
  negative_prompt: string
  size: string
  width: number
  height: number
  seed: number | null
  steps: number | null
  chat_id: string | null
  message_id: string | null
  source_ids: string
  created_at: number
}

/** The preview of a picture. */
export interface PicturePreviewTable {
  file_id: string
  /** WebP. */
  bytes: Buffer
}

export interface ImagesTables {
  picture: PictureTable
  picture_preview: PicturePreviewTable
}
