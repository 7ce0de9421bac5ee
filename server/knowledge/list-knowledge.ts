import { flatMapInOrder } from '../lib/in-order.ts'
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
  readonly items: AsyncIterable<Item>
  readonly total: number
}

const readerOf = async (
  { access }: KnowledgeContext,
  { userId, role }: Reader,
): Promise<KnowledgeFilter['reader']> => ({
  userId,
  seesAll: role === 'admin',
  grantedIds: await access.grantedIds({ userId }, 'knowledge', 'read'),
})

const filterOf = async (
  context: KnowledgeContext,
  caller: Reader,
  { query = '', view_option }: KnowledgeListQuery,
): Promise<KnowledgeFilter> => ({
  reader: await readerOf(context, caller),
  view: view_option || null,
  text: toSearchKey(query.trim()),
})

/**
 * Yields records one by one; collections that were deleted or became unreadable for the caller
 * meanwhile are left out.
 */
async function* readRecords(
  context: KnowledgeContext,
  caller: Reader,
  ids: readonly string[],
): AsyncGenerator<KnowledgeRecord> {
  const states = await context.store.states(ids)
  for (const id of ids) {
    const row = await context.store.get(id)
    if (row && (await mayRead(context, caller, row)))
      yield await toRecord(context, caller, row, states.get(id)!)
  }
}

export async function pageKnowledge(
  context: KnowledgeContext,
  caller: Reader,
  query: KnowledgeListQuery,
): Promise<Page<KnowledgeRecord>> {
  const filter = await filterOf(context, caller, query)
  const ids = await context.store.ids(filter, {
    offset: ((query.page ?? 1) - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
  })
  return { items: readRecords(context, caller, ids), total: await context.store.count(filter) }
}

/** Yields the JSON of every collection the caller may read, with its files. */
export async function* writeAll(
  context: KnowledgeContext,
  caller: Reader,
  query: KnowledgeListQuery,
): AsyncGenerator<string> {
  let isFirst = true
  yield '['
  for (const id of await context.store.ids(await filterOf(context, caller, query), {
    offset: 0,
    limit: MOST_COLLECTIONS,
  })) {
    const row = await context.store.get(id)
    if (!row || !(await mayRead(context, caller, row))) continue
    if (!isFirst) yield ','
    isFirst = false
    yield* writeRecord(context, caller, row)
  }
  yield ']'
}

/** Ids of the collections a caller may read. */
export const readableIds = async (context: KnowledgeContext, caller: Reader): Promise<string[]> =>
  context.store.ids({ reader: await readerOf(context, caller), view: null, text: '' })

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

/** Yields collections with their owners, one at a time. */
async function* withOwners(
  { users }: KnowledgeContext,
  caller: Reader,
  files: Iterable<KnowledgeFile> | AsyncIterable<KnowledgeFile>,
): AsyncGenerator<KnowledgeFile> {
  for await (const file of files)
    yield { ...file, user: await toAuthor(users, file.user_id, caller) }
}

export async function pageFiles(
  context: KnowledgeContext,
  caller: Reader,
  id: string,
  query: KnowledgeFilesQuery,
): Promise<FilePage> {
  await requireKnowledge(context, caller, id, 'read')
  const by =
    query.order_by === 'name' || query.order_by === 'filename'
      ? 'name'
      : query.order_by || 'updated_at'
  const direction = query.direction || (by === 'name' ? 'asc' : 'desc')
  const filter = toFileFilter(query, caller.userId)
  const links = await context.linkStore.pageFiles([id], filter, {
    by,
    direction,
    offset: ((query.page ?? 1) - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
  })
  const all = await context.directoryStore.directories(id)
  const here = query.directory_id || null
  const names = new Map(all.map((each) => [each.id, each.name]))
  return {
    items: withOwners(context, caller, readFiles(context, links)),
    total: await context.linkStore.countFiles([id], filter),
    directories: all.filter(({ parent_id }) => parent_id === here),
    breadcrumbs: ancestorsOf(all, here)
      .toReversed()
      .map((each) => ({ id: each, name: names.get(each)! })),
  }
}

export async function listPendingFiles(
  context: KnowledgeContext,
  caller: Reader,
  id: string,
): Promise<KnowledgeFile[]> {
  await requireKnowledge(context, caller, id, 'read')
  const filter: FileFilter = { text: '', owner: null, directoryId: null, pendingOnly: true }
  const order = { by: 'created_at', direction: 'asc', offset: 0, limit: 1000 } as const
  return [
    ...(await Array.fromAsync(
      readFiles(context, await context.linkStore.pageFiles([id], filter, order)),
    )),
  ]
}

type FileHit = KnowledgeFile & { collection: { id: string; name: string; description: string } }

export async function searchFiles(
  context: KnowledgeContext,
  caller: Reader,
  { query, page = 1 }: { query?: string; page?: number },
): Promise<{ items: FileHit[]; total: number }> {
  const { store, linkStore, files } = context
  const ids = await readableIds(context, caller)
  const filter = toFileFilter({ query }, caller.userId)
  const links = await linkStore.pageFiles(ids, filter, {
    by: 'name',
    direction: 'asc',
    offset: (page - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
  })
  const items = await flatMapInOrder(links, async (link) => {
    const [file, row] = [await files.find(link.file_id), await store.get(link.knowledge_id)]
    if (!file || !row) return []
    return [
      {
        ...toKnowledgeFile(file, link),
        collection: { id: row.id, name: row.name, description: row.description },
      },
    ]
  })
  return { items, total: await linkStore.countFiles(ids, filter) }
}
