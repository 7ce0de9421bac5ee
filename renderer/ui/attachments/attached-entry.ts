import type { File as StoredFile } from '#contract/files.ts'

/**
 * Something attached to a message, as it is stored and sent (specification, Chat completion request
 * › files).
 */
export interface AttachedEntry {
  readonly type: 'file' | 'image' | 'collection' | 'url' | 'note' | 'chat' | 'text'
  /** Of the thing itself; the address of a page, a made-up one for text. */
  readonly id: string
  readonly name: string
  readonly status: 'processed'
  readonly url?: string
  readonly size?: number
  readonly content_type?: string
  /** The text itself, of an entry that is nothing else. */
  readonly content?: string
  /** The whole of it is read; otherwise it is searched when it is long. */
  readonly context?: 'full'
  /** Why it could not be read, when that was known as it was sent. */
  readonly error?: string
}

const KNOWN = new Set(['file', 'image', 'collection', 'url', 'note', 'chat', 'text'])

/** Whether something read from storage can stand as an attachment. */
export const isAttachedEntry = (value: unknown): value is AttachedEntry => {
  if (typeof value !== 'object' || value === null) return false
  const { type, id, name } = value as Record<string, unknown>
  return (
    typeof type === 'string' &&
    KNOWN.has(type) &&
    typeof id === 'string' &&
    typeof name === 'string'
  )
}

/** A stored file as an attachment; pictures are shown to the model, everything else is read. */
export function toFileEntry(file: StoredFile): AttachedEntry {
  const { content_type, size } = file.meta
  const url = `/api/v1/files/${file.id}/content`
  const type = /^image\/(png|jpeg|gif|webp)$/.test(content_type) ? 'image' : 'file'
  return { type, id: file.id, name: file.filename, url, size, content_type, status: 'processed' }
}

export const toPageEntry = (url: string): AttachedEntry => ({
  type: 'url',
  id: url,
  name: url.replace(/^https?:\/\//, ''),
  url,
  status: 'processed',
})

/** Whether it is read at once or searched can be chosen for it. */
export const canBeWhole = ({ type }: AttachedEntry): boolean =>
  type === 'file' || type === 'note' || type === 'chat' || type === 'url'
