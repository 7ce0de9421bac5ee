import type { File as StoredFile } from '#contract/files.ts'

/**
 * An attachment of a message, as stored and sent (specification, Chat completion request › files).
 */
export interface AttachedEntry {
  readonly type: 'file' | 'image' | 'collection' | 'url' | 'note' | 'chat' | 'text'
  /** Id of the attached item; the URL of a page, a generated one for text. */
  readonly id: string
  readonly name: string
  readonly status: 'processed'
  readonly url?: string
  readonly size?: number
  readonly content_type?: string
  /** The text itself, for a plain text entry. */
  readonly content?: string
  /** If set, the whole content is read; otherwise long content is searched. */
  readonly context?: 'full'
  /** Reason it could not be read, if known when it was sent. */
  readonly error?: string
}

const KNOWN = new Set(['file', 'image', 'collection', 'url', 'note', 'chat', 'text'])

/** True if a stored value is a valid attachment. */
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

/**
 * Returns a stored file as an attachment; pictures are shown to the model, everything else is read.
 */
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

/** True if the user can choose between reading it in full and searching it. */
export const canBeWhole = ({ type }: AttachedEntry): boolean =>
  type === 'file' || type === 'note' || type === 'chat' || type === 'url'
