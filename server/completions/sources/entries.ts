import { readReference, type AttachmentReference } from '../../knowledge/index.ts'
import { textOrNull } from '../../lib/text/as-text.ts'
import { isRecord } from '../../lib/is-record.ts'

/**
 * Item attached to a request, a message, a folder or a model, as clients write it
 * (docs/wire-format.md).
 */
export interface Entry extends AttachmentReference {
  readonly name: string | null
  readonly url: string | null
  /** Text included in the entry. */
  readonly content: string | null
  /** True if it is read as a whole instead of being searched. */
  readonly isFull: boolean
  /**
   * True for an entry named by the caller of this request, which leads to 404 if it does not exist.
   */
  readonly isSent: boolean
  /**
   * True for an entry that a user attached directly, in contrast to entries of a folder or a model.
   */
  readonly isAttached?: boolean
}

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

/** Reads one entry; returns null if it names nothing. */
export function readEntry(item: unknown, isSent: boolean): Entry | null {
  const reference = readReference(item)
  if (!isRecord(item) || !reference) return null
  const file = isRecord(item['file']) ? item['file'] : {}
  return {
    ...reference,
    name: textOrNull(item['name']) ?? textOrNull(item['title']) ?? textOrNull(file['filename']),
    url: textOrNull(item['url']),
    content: toContent(item, file),
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
 * Removes duplicates: the same item may be attached to several messages. The first position is
 * kept; `isSent` and `isFull` are set if any duplicate has them.
 */
export function withoutRepeats(entries: readonly Entry[]): Entry[] {
  const kept = new Map<string, Entry>()
  for (const entry of entries) {
    // Generated ids of pasted texts repeat from message to message.
    const key = JSON.stringify([entry.type, entry.id, entry.url, entry.content, entry.collections])
    const known = kept.get(key)
    kept.set(key, known ? join(known, entry) : entry)
  }
  return [...kept.values()]
}
