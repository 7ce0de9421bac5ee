/** A file of a message as it is shown. */
export interface ShownFile {
  readonly name: string
  /** Address to read it from; null when it is none of this gateway. */
  readonly url: string | null
  readonly isImage: boolean
  /** Of the thing attached: a file, a collection, a page, a note, a chat or a text. */
  readonly kind: ShownKind
  /** Of the stored file, the note, the chat or the collection. */
  readonly id: string | null
  /** The address of a page elsewhere. */
  readonly page: string | null
  /** The text itself, of an attachment that is nothing else. */
  readonly text: string | null
  readonly size: number | null
  /** Why it could not be used; null when it could. */
  readonly problem: string | null
}

const KINDS = ['file', 'image', 'collection', 'url', 'note', 'chat', 'text'] as const
export type ShownKind = (typeof KINDS)[number]

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
const toText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/**
 * Only what this gateway holds, or the message itself, is loaded: pictures elsewhere would tell
 * their host who reads this.
 */
const isOwn = (url: string): boolean =>
  /^\/api\/v1\/files\/[\w/-]+$/.test(url) || /^data:image\/(png|jpeg|gif|webp|avif);/.test(url)

const idIn = (url: string): string => /^\/api\/v1\/files\/([\w-]+)/.exec(url)?.[1] ?? ''

function toKind(type: string, isImage: boolean): ShownKind {
  if (isImage) return 'image'
  return KINDS.find((kind) => kind === type) ?? 'file'
}

/** Files come in several shapes; what matters is a name, what it is, and where it can be read. */
export function toShownFile(value: unknown, fallback: string): ShownFile {
  const outer = isRecord(value) ? value : {}
  const inner = isRecord(outer.file) ? outer.file : outer
  const url = toText(outer.url) || toText(inner.url)
  const type = toText(outer.type) || toText(outer.content_type)
  const isImage = type.startsWith('image') || url.startsWith('data:image/')
  const kind = toKind(type, isImage)
  const id =
    idIn(url) ||
    (kind === 'url' || kind === 'text' || isImage ? '' : toText(outer.id) || toText(inner.id))
  return {
    name: (toText(outer.name) || toText(inner.filename) || toText(inner.name) || fallback).slice(
      0,
      200,
    ),
    url: isOwn(url) ? url : null,
    isImage,
    kind,
    id: id || null,
    page: kind === 'url' && /^https?:\/\//.test(url) ? url : null,
    text: kind === 'text' && typeof outer.content === 'string' ? outer.content : null,
    size: typeof outer.size === 'number' ? outer.size : null,
    problem: toText(outer.error) || null,
  }
}
