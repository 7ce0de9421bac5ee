import { call, endpoints } from '../../../api/client.ts'
import { type AttachedEntry, toFileEntry } from '../../../ui/attachments/attached-entry.ts'

export type AttachableKind = 'collection' | 'note' | 'file'

/** An attachable item with a line of description. */
export interface Attachable {
  readonly entry: AttachedEntry
  readonly detail: string
}

const NEWEST = { page: 1, order_by: 'updated_at', direction: 'desc' } as const

async function findNotes(
  query: string | undefined,
  signal: AbortSignal,
): Promise<readonly Attachable[]> {
  const { items } = await call(endpoints.notes.search, { query: { query, ...NEWEST } }, { signal })
  return items.map(({ id, title, data }) => ({
    entry: { type: 'note', id, name: title, status: 'processed' },
    detail: data.content?.md?.slice(0, 120) ?? '',
  }))
}

async function findCollections(
  query: string | undefined,
  signal: AbortSignal,
): Promise<readonly Attachable[]> {
  const { items } = await call(endpoints.knowledge.list, { query: { query } }, { signal })
  return items.map(({ id, name, description }) => ({
    entry: { type: 'collection', id, name, status: 'processed' },
    detail: description,
  }))
}

async function findFiles(
  query: string | undefined,
  signal: AbortSignal,
): Promise<readonly Attachable[]> {
  const { items } = await call(
    endpoints.files.list,
    { query: { query, content: false, ...NEWEST } },
    { signal },
  )
  // A file attached to several chats is stored several times.
  const seen = new Set<string>()
  return items
    .filter(({ data, hash, filename }) => {
      const content = `${hash} ${filename}`
      if (data.status === 'failed' || seen.has(content)) return false
      seen.add(content)
      return true
    })
    .map((file) => ({ entry: toFileEntry(file), detail: '' }))
}

const FINDERS = { note: findNotes, collection: findCollections, file: findFiles }

/** Resolves with the items of a kind that match a query, most recently changed first. */
export const findAttachable = (
  kind: AttachableKind,
  query: string,
  signal: AbortSignal,
): Promise<readonly Attachable[]> => FINDERS[kind](query.trim() || undefined, signal)
