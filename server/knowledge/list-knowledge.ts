import type { KnowledgeFilePage, KnowledgeFilesQuery } from '#contract/knowledge-files.ts'
import type { KnowledgeFile, KnowledgeListQuery, KnowledgeRecord } from '#contract/knowledge.ts'
import {
  mayRead,
  toKnowledgeFile,
  readFiles,
  requireKnowledge,
  toRecord,
  writeRecord,
  type KnowledgeContext,
  type Reader,
} from './knowledge-context.ts'
import { toAuthor } from '../lib/author.ts'
import { ancestorsOf } from './change-directories.ts'
import { toSearchKey } from './change-knowledge.ts'
import type { FileFilter } from './link-store.ts'
import type { KnowledgeFilter } from './store.ts'

const PAGE_SIZE = 30
const MOST_COLLECTIONS = 10_000

interface Page<Item> {
  readonly items: Iterable<Item>
  readonly total: number
}

const readerOf = (
  { access }: KnowledgeContext,
  { userId, role }: Reader,
): KnowledgeFilter['reader'] => ({
  userId,
  seesAll: role === 'admin',
  grantedIds: access.grantedIds({ userId }, 'knowledge', 'read'),
})

const filterOf = (
  context: KnowledgeContext,
  caller: Reader,
  { query = '', view_option }: KnowledgeListQuery,
): KnowledgeFilter => ({
  reader: readerOf(context, caller),
  view: view_option || null,
  text: toSearchKey(query.trim()),
})

/**
 * One after the other; what goes away meanwhile, or is not the caller's to read any more, is left
 * out.
 */
function* readRecords(
  context: KnowledgeContext,
  caller: Reader,
  ids: readonly string[],
): Generator<KnowledgeRecord> {
  const states = context.store.states(ids)
  for (const id of ids) {
    const row = context.store.get(id)
    if (row && mayRead(context, caller, row)) yield toRecord(context, caller, row, states.get(id)!)
  }
}

export function pageKnowledge(
  context: KnowledgeContext,
  caller: Reader,
  query: KnowledgeListQuery,
): Page<KnowledgeRecord> {
  const filter = filterOf(context, caller, query)
  const ids = context.store.ids(filter, {
    offset: ((query.page ?? 1) - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
  })
  return { items: readRecords(context, caller, ids), total: context.store.count(filter) }
}

/** The JSON of every collection the caller may read, with its files. */
export function* writeAll(
  context: KnowledgeContext,
  caller: Reader,
  query: KnowledgeListQuery,
): Generator<string> {
  let isFirst = true
  yield '['
  for (const id of context.store.ids(filterOf(context, caller, query), {
    offset: 0,
    limit: MOST_COLLECTIONS,
  })) {
    const row = context.store.get(id)
    if (!row || !mayRead(context, caller, row)) continue
    if (!isFirst) yield ','
    isFirst = false
    yield* writeRecord(context, caller, row)
  }
  yield ']'
}

/** Ids of the collections a caller may read. */
export const readableIds = (context: KnowledgeContext, caller: Reader): string[] =>
  context.store.ids(
    { reader: readerOf(context, caller), view: null, text: '' },
    { offset: 0, limit: -1 },
  )

const toFileFilter = (
  query: Pick<KnowledgeFilesQuery, 'query' | 'view_option' | 'directory_id'>,
  userId: string,
): FileFilter => ({
  text: toSearchKey((query.query ?? '').trim()),
  owner: query.view_option ? { userId, isOwn: query.view_option === 'created' } : null,
  directoryId: query.directory_id ?? null,
  pendingOnly: false,
})

type FilePage = Page<KnowledgeFile> & Pick<KnowledgeFilePage, 'directories' | 'breadcrumbs'>

/** With its owner, one at a time. */
function* withOwners(
  { users }: KnowledgeContext,
  caller: Reader,
  files: Iterable<KnowledgeFile>,
): Generator<KnowledgeFile> {
  for (const file of files) yield { ...file, user: toAuthor(users, file.user_id, caller) }
}

export function pageFiles(
  context: KnowledgeContext,
  caller: Reader,
  id: string,
  query: KnowledgeFilesQuery,
): FilePage {
  requireKnowledge(context, caller, id, 'read')
  const by =
    query.order_by === 'name' || query.order_by === 'filename'
      ? 'name'
      : query.order_by || 'updated_at'
  const direction = query.direction || (by === 'name' ? 'asc' : 'desc')
  const filter = toFileFilter(query, caller.userId)
  const links = context.linkStore.pageFiles([id], filter, {
    by,
    direction,
    offset: ((query.page ?? 1) - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
  })
  const all = context.directoryStore.directories(id)
  const here = query.directory_id || null
  const names = new Map(all.map((each) => [each.id, each.name]))
  return {
    items: withOwners(context, caller, readFiles(context, links)),
    total: context.linkStore.countFiles([id], filter),
    directories: all.filter(({ parent_id }) => parent_id === here),
    breadcrumbs: ancestorsOf(all, here)
      .toReversed()
      .map((each) => ({ id: each, name: names.get(each)! })),
  }
}

export function listPendingFiles(
  context: KnowledgeContext,
  caller: Reader,
  id: string,
): KnowledgeFile[] {
  requireKnowledge(context, caller, id, 'read')
  const filter: FileFilter = { text: '', owner: null, directoryId: null, pendingOnly: true }
  const order = { by: 'created_at', direction: 'asc', offset: 0, limit: 1000 } as const
  return [...readFiles(context, context.linkStore.pageFiles([id], filter, order))]
}

type FileHit = KnowledgeFile & { collection: { id: string; name: string; description: string } }

export function searchFiles(
  context: KnowledgeContext,
  caller: Reader,
  { query, page = 1 }: { query?: string; page?: number },
): Page<FileHit> {
  const { store, linkStore, files } = context
  const ids = readableIds(context, caller)
  const filter = toFileFilter({ query }, caller.userId)
  const links = linkStore.pageFiles(ids, filter, {
    by: 'name',
    direction: 'asc',
    offset: (page - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
  })
  const items = links.flatMap((link) => {
    const [file, row] = [files.find(link.file_id), store.get(link.knowledge_id)]
    if (!file || !row) return []
    return [
      {
        ...toKnowledgeFile(file, link),
        collection: { id: row.id, name: row.name, description: row.description },
      },
    ]
  })
  return { items, total: linkStore.countFiles(ids, filter) }
}
