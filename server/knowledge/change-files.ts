import type { FileEntry } from '../files/index.ts'
import { badRequest, forbidden, notFound, ServiceError } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { nowSeconds } from '../lib/ids.ts'
import { requireKnowledge, toResource, type KnowledgeContext } from './knowledge-context.ts'
import type { KnowledgeRow } from './store.ts'

/** A file for a collection; the directory is null for the top. */
interface FilePlace {
  readonly file_id: string
  readonly directory_id?: string | null
}

const EMPTY =
  'The content provided is empty. Please ensure that there is text or data present in the file.'
/** Longer texts are taken to say something. */
const LONGEST_BLANK = 1000

/**
 * A file the caller may hand on: their own, or one of a collection they may change. What others let
 * them read is not theirs to show to more people.
 */
function requireOwnFile(
  { files, linkStore, access }: KnowledgeContext,
  caller: Caller,
  fileId: string,
): FileEntry {
  const file = files.get(caller.userId, fileId)
  if (!file) throw notFound('There is no such file.')
  const isTheirs =
    caller.role === 'admin' ||
    file.user_id === caller.userId ||
    linkStore
      .linksOfFile(fileId)
      .some((knowledge) => access.allows(caller, toResource(knowledge), 'write'))
  if (!isTheirs)
    throw forbidden(
      'You can read this file but not add it to a collection. Ask its owner for access.',
      {
        code: 'not_permitted',
      },
    )
  return file
}

/** 400 unless a file has text that can be found. */
function requireText({ files }: KnowledgeContext, { id, status, error, isAsked }: FileEntry): void {
  if (!isAsked)
    throw badRequest(`${EMPTY} It was uploaded without being processed; have that done first.`, {
      code: 'empty_content',
    })
  if (status === 'pending')
    throw badRequest(`${EMPTY} It is still being processed; wait until that is done.`, {
      code: 'empty_content',
    })
  if (status === 'failed')
    throw badRequest(`${EMPTY} It could not be read: ${error ?? 'the reason is not known.'}`, {
      code: 'empty_content',
    })
  const length = files.textLength(id) ?? 0
  const isBlank =
    length === 0 || (length <= LONGEST_BLANK && (files.content(id)?.text ?? '').trim() === '')
  if (isBlank) throw badRequest(EMPTY, { code: 'empty_content' })
}

export function requireDirectory(
  { directoryStore }: KnowledgeContext,
  knowledgeId: string,
  directoryId: string | null | undefined,
): string | null {
  if (!directoryId) return null
  if (!directoryStore.directory(knowledgeId, directoryId))
    throw notFound('There is no such directory in this collection.')
  return directoryId
}

function addOne(
  context: KnowledgeContext,
  caller: Caller,
  row: KnowledgeRow,
  { file_id: fileId, directory_id }: FilePlace,
): void {
  const { storage, store, linkStore, retrieval } = context
  const directoryId = requireDirectory(context, row.id, directory_id)
  const file = requireOwnFile(context, caller, fileId)
  requireText(context, file)
  // It is there as it was asked for, so that a script that runs again goes on.
  if (linkStore.link(row.id, fileId)) return
  if (linkStore.fileWithHash(row.id, file.hash) !== null) {
    throw badRequest(
      'Duplicate content: this collection has a file with the same content already.',
      { code: 'duplicate_content' },
    )
  }
  storage.transaction(() => {
    const now = nowSeconds()
    linkStore.insertLink({
      knowledge_id: row.id,
      file_id: fileId,
      directory_id: directoryId,
      user_id: caller.userId,
      created_at: now,
    })
    store.update(row.id, { updated_at: now })
    retrieval.collections.add(row.id, fileId)
  })
}

export function addFile(
  context: KnowledgeContext,
  caller: Caller,
  id: string,
  place: FilePlace,
): KnowledgeRow {
  const row = requireKnowledge(context, caller, id, 'write')
  addOne(context, caller, row, place)
  return row
}

/** Adds the files one at a time, because there may be many, and reports those that failed. */
export function* addFiles(
  context: KnowledgeContext,
  caller: Caller,
  id: string,
  places: readonly FilePlace[],
): Generator<void, { row: KnowledgeRow; errors: string[] }> {
  const row = requireKnowledge(context, caller, id, 'write')
  const errors: string[] = []
  for (const place of places) {
    // It may have been deleted while others had their turn.
    requireKnowledge(context, caller, id, 'write')
    try {
      addOne(context, caller, row, place)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      errors.push(`${place.file_id}: ${error.message}`)
    }
    yield
  }
  return { row, errors }
}

function requireLink({ linkStore }: KnowledgeContext, knowledgeId: string, fileId: string): void {
  if (!linkStore.link(knowledgeId, fileId))
    throw notFound('There is no such file in this collection.')
}

/** The text of a file may have changed since it was added. */
export function updateFile(
  context: KnowledgeContext,
  caller: Caller,
  id: string,
  fileId: string,
): KnowledgeRow {
  const { store, files, retrieval } = context
  const row = requireKnowledge(context, caller, id, 'write')
  requireLink(context, id, fileId)
  const file = files.find(fileId)
  if (!file) throw notFound('There is no such file.')
  requireText(context, file)
  retrieval.collections.add(id, fileId)
  retrieval.reindex([fileId])
  store.update(id, { updated_at: nowSeconds() })
  return row
}

export function moveFile(
  context: KnowledgeContext,
  caller: Caller,
  id: string,
  { file_id, directory_id }: FilePlace,
): void {
  const { store, linkStore } = context
  requireKnowledge(context, caller, id, 'write')
  requireLink(context, id, file_id)
  linkStore.moveLink(id, file_id, requireDirectory(context, id, directory_id))
  store.update(id, { updated_at: nowSeconds() })
}

/** Deletes a file of the caller's that no collection has any more; files of others stay. */
export function deleteUnused(
  { files, linkStore }: KnowledgeContext,
  caller: Caller,
  fileId: string,
): void {
  const file = files.find(fileId)
  if (!file || (file.user_id !== caller.userId && caller.role !== 'admin')) return
  if (linkStore.linksOfFile(fileId).length === 0) files.remove(fileId)
}

export function takeOut(context: KnowledgeContext, knowledgeId: string, fileId: string): void {
  context.linkStore.removeLink(knowledgeId, fileId)
  context.retrieval.collections.remove(knowledgeId, fileId)
}

export function removeFile(
  context: KnowledgeContext,
  caller: Caller,
  id: string,
  { fileId, deletes }: { fileId: string; deletes: boolean },
): KnowledgeRow {
  const { storage, store } = context
  const row = requireKnowledge(context, caller, id, 'write')
  requireLink(context, id, fileId)
  storage.transaction(() => {
    takeOut(context, id, fileId)
    store.update(id, { updated_at: nowSeconds() })
  })
  if (deletes) deleteUnused(context, caller, fileId)
  return row
}
