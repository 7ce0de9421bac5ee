import { everyInOrder } from '../lib/in-order.ts'
import { badRequest, notFound } from '../lib/errors.ts'
import { isRecord } from '../lib/is-record.ts'
import type { CollectionNames, CollectionReader } from '../retrieval/index.ts'
import { textOrNull } from '../lib/text/as-text.ts'

/** Each attachment is checked when it is saved, and again with every question. */
const MOST_ATTACHED = 500

/**
 * Attachment of a model or a folder for its chats, as clients write it: a file, a collection, or
 * names of collections.
 */
export interface AttachmentReference {
  readonly type: string
  readonly id: string | null
  /** Names of collections in the index. */
  readonly collections: readonly string[]
}

/** Reads one attachment; null if it is no object. */
export function readReference(item: unknown): AttachmentReference | null {
  if (!isRecord(item)) return null
  const file = isRecord(item['file']) ? item['file'] : {}
  const named = [
    item['collection_name'],
    ...(Array.isArray(item['collection_names']) ? item['collection_names'] : []),
  ]
  return {
    type: textOrNull(item['type']) ?? 'file',
    id: textOrNull(item['id']) ?? textOrNull(file['id']),
    collections: named.filter((name) => typeof name === 'string' && name !== ''),
  }
}

const referencesIn = (items: unknown): AttachmentReference[] =>
  (Array.isArray(items) ? items : []).map(readReference).filter((reference) => reference !== null)

/** Reports whether a list of attachments names a collection of files. */
export const namesCollection = (items: unknown, id: string): boolean =>
  referencesIn(items).some((reference) => reference.id === id || reference.collections.includes(id))

/** Reports whether a list of attachments names a file. */
export const namesFile = (items: unknown, id: string): boolean =>
  referencesIn(items).some(
    (reference) =>
      (reference.type !== 'collection' && reference.id === id) ||
      reference.collections.includes(`file-${id}`),
  )

interface AttachmentDoors {
  readonly collections: CollectionNames
  readonly mayReadFile: (reader: CollectionReader, id: string) => Promise<boolean>
  readonly mayReadKnowledge: (reader: CollectionReader, id: string) => Promise<boolean>
}

/**
 * Throws 404 if a list names an object the user may not read, with the same response if it does not
 * exist. Objects listed `before` may stay: another editor added them, and access is checked again
 * on every use.
 */
export async function checkAttachments(
  doors: AttachmentDoors,
  reader: CollectionReader,
  items: unknown,
  before: unknown,
): Promise<void> {
  const references = referencesIn(items)
  if (references.length > MOST_ATTACHED)
    throw badRequest(
      `${MOST_ATTACHED} files and collections can be attached. Put the files into a collection.`,
      { code: 'too_many_files' },
    )
  const known = new Set(referencesIn(before).map((reference) => JSON.stringify(reference)))
  for (const reference of references) {
    if (known.has(JSON.stringify(reference))) continue
    const { type, id, collections } = reference
    const isReadable =
      (id === null || type !== 'collection' || (await doors.mayReadKnowledge(reader, id))) &&
      (id === null || type !== 'file' || (await doors.mayReadFile(reader, id))) &&
      (await everyInOrder(
        collections,
        async (name) => (await doors.collections.resolve(reader, name, 'read')) !== null,
      ))
    if (!isReadable)
      throw notFound(
        `There is no such ${type === 'collection' ? 'collection' : 'file'}. Choose another one.`,
        { code: 'not_attachable' },
      )
  }
}
