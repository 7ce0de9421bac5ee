import type { KnowledgeFile, KnowledgeRecord, KnowledgeStatus } from '#contract/knowledge.ts'
import type { Access, Resource } from '../access/index.ts'
import type { FileEntry, Files } from '../files/index.ts'
import { toAuthor } from '../lib/author.ts'
import { forbidden, notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import type { Retrieval } from '../retrieval/index.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'
import type { DirectoryStore } from './directory-store.ts'
import type { LinkRow, LinkStore } from './link-store.ts'
import type { FileStates, KnowledgeRow, KnowledgeStore } from './store.ts'

/** Dependencies of the operations on collections. */
export interface KnowledgeContext {
  readonly storage: Storage
  readonly store: KnowledgeStore
  readonly linkStore: LinkStore
  readonly directoryStore: DirectoryStore
  readonly access: Access
  readonly users: Users
  readonly files: Pick<
    Files,
    | 'get'
    | 'find'
    | 'each'
    | 'textLength'
    | 'content'
    | 'open'
    | 'remove'
    | 'create'
    | 'updateContent'
  >
  readonly retrieval: Pick<Retrieval, 'collections' | 'reindex'>
}

/** The caller, with the fields needed for access checks. */
export type Reader = Pick<Caller, 'userId' | 'role'>

export const toResource = ({ id, user_id }: Pick<KnowledgeRow, 'id' | 'user_id'>): Resource => ({
  type: 'knowledge',
  id,
  ownerId: user_id,
})

export const mayRead = (
  { access }: Pick<KnowledgeContext, 'access'>,
  caller: Reader,
  row: Pick<KnowledgeRow, 'id' | 'user_id'>,
): boolean | Promise<boolean> => access.allows(caller, toResource(row), 'read')

/** Throws 404 for a collection the caller may not read, 403 for one they may only read. */
export async function requireKnowledge(
  { store, access }: KnowledgeContext,
  caller: Reader,
  id: string,
  permission: 'read' | 'write',
): Promise<KnowledgeRow> {
  const row = await store.get(id)
  if (!row || !(await mayRead({ access }, caller, row)))
    throw notFound('There is no such collection.')
  if (permission === 'write' && !(await access.allows(caller, toResource(row), 'write'))) {
    throw forbidden('You can use this collection but not edit it. Ask its owner for access.', {
      code: 'not_permitted',
    })
  }
  return row
}

const statusOf = ({ pending, failed }: FileStates): KnowledgeStatus =>
  pending > 0 ? 'processing' : failed > 0 ? 'error' : 'processed'

/** A collection without its files and directories. */
export async function toRecord(
  context: KnowledgeContext,
  caller: Reader,
  row: KnowledgeRow,
  states: FileStates,
): Promise<KnowledgeRecord> {
  const { access, users } = context
  const { search_key: _, ...fields } = row
  return {
    ...fields,
    type: 'collection',
    status: statusOf(states),
    data: {},
    meta: JSON.parse(row.meta) as Record<string, unknown>,
    file_count: states.count,
    files: null,
    write_access: await access.allows(caller, toResource(row), 'write'),
    user: await toAuthor(users, row.user_id, caller),
    ...(await access.describe('knowledge', row.id)),
  }
}

export function toKnowledgeFile(
  { status, error, isAsked: _isAsked, ...file }: FileEntry,
  { directory_id, created_at }: LinkRow,
): KnowledgeFile {
  return {
    ...file,
    data: { ...(status !== null && { status }), ...(error !== null && { error }) },
    directory_id,
    added_at: created_at,
  }
}

/**
 * Reads the files of a collection a few at a time, because there may be many; files deleted
 * meanwhile are left out.
 */
export async function* readFiles(
  { files }: KnowledgeContext,
  links: readonly LinkRow[],
): AsyncGenerator<KnowledgeFile> {
  const byId = new Map(links.map((link) => [link.file_id, link]))
  for await (const file of files.each([...byId.keys()]))
    yield toKnowledgeFile(file, byId.get(file.id)!)
}

/** Yields the JSON of a collection with all its contents in chunks. */
export async function* writeRecord(
  context: KnowledgeContext,
  caller: Reader,
  row: KnowledgeRow,
  more: object = {},
): AsyncGenerator<string> {
  const { store, linkStore, directoryStore } = context
  const links = await linkStore.links(row.id)
  const record = await toRecord(context, caller, row, (await store.states([row.id])).get(row.id)!)
  const whole = {
    ...record,
    data: { file_ids: links.map(({ file_id }) => file_id) },
    directories: await directoryStore.directories(row.id),
    ...more,
  }
  const { files: _, ...head } = whole
  yield `${JSON.stringify(head).slice(0, -1)},"files":[`
  let isFirst = true
  for await (const file of readFiles(context, links)) {
    yield `${isFirst ? '' : ','}${JSON.stringify(file)}`
    isFirst = false
  }
  yield ']}'
}
