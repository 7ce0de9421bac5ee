import { isRecord } from '../../lib/fields.ts'

/** A message's file in the form it is displayed. */
export interface ShownFile {
  readonly name: string
  /** URL to load it from; null if it is not on this gateway. */
  readonly url: string | null
  readonly isImage: boolean
  /** Kind of the attachment: a file, a collection, a page, a note, a chat or a text. */
  readonly kind: ShownKind
  /** Id of the stored file, the note, the chat or the collection. */
  readonly id: string | null
  /** URL of an external page. */
  readonly page: string | null
  /** The text itself, for a plain text attachment. */
  readonly text: string | null
  readonly size: number | null
  /** Reason it could not be used; null if it could. */
  readonly problem: string | null
}

const KINDS = ['file', 'image', 'collection', 'url', 'note', 'chat', 'text'] as const
export type ShownKind = (typeof KINDS)[number]

const toText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/**
 * True for URLs on this gateway and data URLs; only these are loaded, as external pictures would
 * reveal the reader to their host.
 */
const isOwn = (url: string): boolean =>
  /^\/api\/v1\/files\/[\w/-]+$/.test(url) || /^data:image\/(png|jpeg|gif|webp|avif);/.test(url)

const idIn = (url: string): string => /^\/api\/v1\/files\/([\w-]+)/.exec(url)?.[1] ?? ''

function toKind(type: string, isImage: boolean): ShownKind {
  if (isImage) return 'image'
  return KINDS.find((kind) => kind === type) ?? 'file'
}

/** Normalises a file: they come in several shapes, of which only name, kind and source matter. */
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
