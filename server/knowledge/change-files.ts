import { someInOrder } from '../lib/in-order.ts'
import type { FileEntry } from '../files/index.ts'
import { badRequest, forbidden, notFound, ServiceError } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { nowSeconds } from '../lib/ids.ts'
import { requireKnowledge, toResource, type KnowledgeContext } from './knowledge-context.ts'
import type { KnowledgeRow } from './store.ts'

/** A file for a collection; a null directory is the top level. */
interface FilePlace {
  readonly file_id: string
  readonly directory_id?: string | null
}

const EMPTY =
  'The content provided is empty. Please ensure that there is text or data present in the file.'
/** Length beyond which a text is assumed not to be blank. */
const LONGEST_BLANK = 1000

/**
 * Returns a file the caller may share: their own, or one of a collection they may change. Files the
 * caller may only read must not be shown to more users.
 */
async function requireOwnFile(
  { files, linkStore, access }: KnowledgeContext,
  caller: Caller,
  fileId: string,
): Promise<FileEntry> {
  const file = await files.get(caller.userId, fileId)
  if (!file) throw notFound('There is no such file.')
  const isTheirs =
    caller.role === 'admin' ||
    file.user_id === caller.userId ||
    (await someInOrder(await linkStore.linksOfFile(fileId), (knowledge) =>
      access.allows(caller, toResource(knowledge), 'write'),
    ))
  if (!isTheirs)
    throw forbidden(
      'You can read this file but not add it to a collection. Ask its owner for access.',
      {
        code: 'not_permitted',
      },
    )
  return file
}

/** Throws 400 unless a file has searchable text. */
async function requireText(
  { files }: KnowledgeContext,
  { id, status, error, isAsked }: FileEntry,
): Promise<void> {
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
  const length = (await files.textLength(id)) ?? 0
  const isBlank =
    length === 0 ||
    (length <= LONGEST_BLANK && ((await files.content(id))?.text ?? '').trim() === '')
  if (isBlank) throw badRequest(EMPTY, { code: 'empty_content' })
}

export async function requireDirectory(
  { directoryStore }: KnowledgeContext,
  knowledgeId: string,
  directoryId: string | null | undefined,
): Promise<string | null> {
  if (!directoryId) return null
  if (!(await directoryStore.directory(knowledgeId, directoryId)))
    throw notFound('There is no such directory in this collection.')
  return directoryId
}

async function addOne(
  context: KnowledgeContext,
  caller: Caller,
  row: KnowledgeRow,
  { file_id: fileId, directory_id }: FilePlace,
): Promise<void> {
  const { storage, store, linkStore, retrieval } = context
  const file = await requireOwnFile(context, caller, fileId)
  await requireText(context, file)
  await storage.transaction(async () => {
    const directoryId = await requireDirectory(context, row.id, directory_id)
    // The file is already there as requested, so that a repeated script succeeds.
    if (await linkStore.link(row.id, fileId)) return
    if ((await linkStore.fileWithHash(row.id, file.hash)) !== null) {
      throw badRequest(
        'Duplicate content: this collection has a file with the same content already.',
        { code: 'duplicate_content' },
      )
    }
    const now = nowSeconds()
    await linkStore.insertLink({
      knowledge_id: row.id,
      file_id: fileId,
      directory_id: directoryId,
      user_id: caller.userId,
      created_at: now,
    })
    await store.update(row.id, { updated_at: now })
    await retrieval.collections.add(row.id, fileId)
  })
}

export async function addFile(
  context: KnowledgeContext,
  caller: Caller,
  id: string,
  place: FilePlace,
): Promise<KnowledgeRow> {
  const row = await requireKnowledge(context, caller, id, 'write')
  await addOne(context, caller, row, place)
  return row
}

/** Adds the files one at a time, because there may be many, and reports the failed ones. */
export async function* addFiles(
  context: KnowledgeContext,
  caller: Caller,
  id: string,
  places: readonly FilePlace[],
): AsyncGenerator<void, { row: KnowledgeRow; errors: string[] }> {
  const row = await requireKnowledge(context, caller, id, 'write')
  const errors: string[] = []
  for (const place of places) {
    // It may have been deleted while other requests were served.
    await requireKnowledge(context, caller, id, 'write')
    try {
      await addOne(context, caller, row, place)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      errors.push(`${place.file_id}: ${error.message}`)
    }
    yield
  }
  return { row, errors }
}

async function requireLink(
  { linkStore }: KnowledgeContext,
  knowledgeId: string,
  fileId: string,
): Promise<void> {
  if (!(await linkStore.link(knowledgeId, fileId)))
    throw notFound('There is no such file in this collection.')
}

/** The text of a file may have changed since it was added. */
export async function updateFile(
  context: KnowledgeContext,
  caller: Caller,
  id: string,
  fileId: string,
): Promise<KnowledgeRow> {
  const { storage, store, files, retrieval } = context
  const row = await requireKnowledge(context, caller, id, 'write')
  await requireLink(context, id, fileId)
  const file = await files.find(fileId)
  if (!file) throw notFound('There is no such file.')
  await requireText(context, file)
  await storage.transaction(async () => {
    // It may have been removed while its text was read.
    await requireLink(context, id, fileId)
    await retrieval.collections.add(id, fileId)
  })
  await retrieval.reindex([fileId])
  await store.update(id, { updated_at: nowSeconds() })
  return row
}

export async function moveFile(
  context: KnowledgeContext,
  caller: Caller,
  id: string,
  { file_id, directory_id }: FilePlace,
): Promise<void> {
  const { storage, store, linkStore } = context
  await requireKnowledge(context, caller, id, 'write')
  await storage.transaction(async () => {
    await requireLink(context, id, file_id)
    await linkStore.moveLink(id, file_id, await requireDirectory(context, id, directory_id))
    await store.update(id, { updated_at: nowSeconds() })
  })
}

/** Deletes a file of the caller that is no longer in any collection; files of others stay. */
export async function deleteUnused(
  { files, linkStore }: KnowledgeContext,
  caller: Caller,
  fileId: string,
): Promise<void> {
  const file = await files.find(fileId)
  if (!file || (file.user_id !== caller.userId && caller.role !== 'admin')) return
  if ((await linkStore.linksOfFile(fileId)).length === 0) await files.remove(fileId)
}

export async function takeOut(
  context: KnowledgeContext,
  knowledgeId: string,
  fileId: string,
): Promise<void> {
  await context.linkStore.removeLink(knowledgeId, fileId)
  await context.retrieval.collections.remove(knowledgeId, fileId)
}

export async function removeFile(
  context: KnowledgeContext,
  caller: Caller,
  id: string,
  { fileId, deletes }: { fileId: string; deletes: boolean },
): Promise<KnowledgeRow> {
  const { storage, store } = context
  const row = await requireKnowledge(context, caller, id, 'write')
  await requireLink(context, id, fileId)
  await storage.transaction(async () => {
    await takeOut(context, id, fileId)
    await store.update(id, { updated_at: nowSeconds() })
  })
  if (deletes) await deleteUnused(context, caller, fileId)
  return row
}
