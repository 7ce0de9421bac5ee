import { isRecord } from '../../lib/is-record.ts'

/**
 * One thing attached to a request, a message, a folder or a model, as clients write it
 * (docs/wire-format.md).
 */
export interface Entry {
  readonly type: string
  readonly id: string | null
  readonly name: string | null
  readonly url: string | null
  /** Text that came along. */
  readonly content: string | null
  /** Collections of the index by name. */
  readonly collections: readonly string[]
  /** Read as a whole instead of being searched. */
  readonly isFull: boolean
  /** True for what the caller of this request named, who is told 404 when it does not exist. */
  readonly isSent: boolean
  /**
   * True for what a person attached itself, in contrast to what a folder or a model brings along.
   */
  readonly isAttached?: boolean
}

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

function toContent(
  item: Readonly<Record<string, unknown>>,
  file: Readonly<Record<string, unknown>>,
): string | null {
  const data = isRecord(file['data']) ? file['data'] : {}
  const docs = Array.isArray(item['docs'])
    ? item['docs'].filter(isRecord).map((doc) => textOrNull(doc['content']) ?? '')
    : []
  return (
    textOrNull(item['content']) ??
    textOrNull(data['content']) ??
    textOrNull(docs.join('\n\n').trim())
  )
}

/** Reads one entry; null when it names nothing. */
export function readEntry(item: unknown, isSent: boolean): Entry | null {
  if (!isRecord(item)) return null
  const file = isRecord(item['file']) ? item['file'] : {}
  const named = [
    item['collection_name'],
    ...(Array.isArray(item['collection_names']) ? item['collection_names'] : []),
  ]
  return {
    type: textOrNull(item['type']) ?? 'file',
    id: textOrNull(item['id']) ?? textOrNull(file['id']),
    name: textOrNull(item['name']) ?? textOrNull(item['title']) ?? textOrNull(file['filename']),
    url: textOrNull(item['url']),
    content: toContent(item, file),
    collections: named.filter((name) => typeof name === 'string' && name !== ''),
    isFull: item['context'] === 'full',
    isSent,
  }
}

export const readEntries = (items: unknown, isSent: boolean): Entry[] =>
  Array.isArray(items) ? items.flatMap((item) => readEntry(item, isSent) ?? []) : []

const join = (one: Entry, other: Entry): Entry => ({
  ...one,
  isFull: one.isFull || other.isFull,
  isSent: one.isSent || other.isSent,
  isAttached: one.isAttached === true || other.isAttached === true,
})

/**
 * The same thing may be attached to several messages; the first place counts, and being sent or
 * read as a whole anywhere.
 */
export function withoutRepeats(entries: readonly Entry[]): Entry[] {
  const kept = new Map<string, Entry>()
  for (const entry of entries) {
    // Made-up ids of pasted texts repeat from message to message.
    const key = JSON.stringify([entry.type, entry.id, entry.url, entry.content, entry.collections])
    const known = kept.get(key)
    kept.set(key, known ? join(known, entry) : entry)
  }
  return [...kept.values()]
}
