import { badRequest, notFound } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { newId, nowSeconds } from '../lib/ids.ts'
import { requireDirectory } from './change-files.ts'
import { requireKnowledge, type KnowledgeContext } from './knowledge-context.ts'
import type { DirectoryRow } from './directory-store.ts'

const MOST_DIRECTORIES = 10_000
const DEEPEST = 32

interface NewDirectory {
  readonly name: string
  readonly parent_id?: string | null
}

function requireName(name: string): string {
  if (name === '.' || name === '..' || /[/\\]/.test(name) || name.includes('\0'))
    throw badRequest('A directory name has no slashes and is not “.” or “..”.')
  return name
}

function requireFree(
  all: readonly DirectoryRow[],
  parentId: string | null,
  name: string,
  self?: string,
): void {
  if (all.some((each) => each.parent_id === parentId && each.name === name && each.id !== self)) {
    throw badRequest(`There is a directory named ${JSON.stringify(name)} here already.`)
  }
}

/** Returns the ids of a directory and its ancestors. */
export function ancestorsOf(all: readonly DirectoryRow[], id: string | null): string[] {
  const byId = new Map(all.map((each) => [each.id, each]))
  const found: string[] = []
  for (
    let each = id === null ? undefined : byId.get(id);
    each && found.length <= DEEPEST;
    each = byId.get(each.parent_id ?? '')
  )
    found.push(each.id)
  return found
}

/** Returns the ids of a directory and its descendants. */
export function descendantsOf(all: readonly DirectoryRow[], id: string): string[] {
  const children = Map.groupBy(all, ({ parent_id }) => parent_id)
  const found = [id]
  for (const each of found) for (const child of children.get(each) ?? []) found.push(child.id)
  return found
}

/** Returns the number of levels of a directory and its descendants. */
const heightOf = (all: readonly DirectoryRow[], id: string): number =>
  Math.max(...descendantsOf(all, id).map((each) => ancestorsOf(all, each).length)) -
  ancestorsOf(all, id).length +
  1

export async function createDirectory(
  context: KnowledgeContext,
  caller: Caller,
  id: string,
  wanted: NewDirectory,
): Promise<DirectoryRow> {
  await requireKnowledge(context, caller, id, 'write')
  return context.storage.transaction(() => addDirectory(context, caller, id, wanted))
}

/** Must be called within a transaction, so that the tree does not change after the check. */
async function addDirectory(
  context: KnowledgeContext,
  caller: Caller,
  id: string,
  { name, parent_id }: NewDirectory,
): Promise<DirectoryRow> {
  const { store, directoryStore } = context
  const parentId = await requireDirectory(context, id, parent_id)
  const all = await directoryStore.directories(id)
  requireFree(all, parentId, requireName(name))
  if (all.length >= MOST_DIRECTORIES)
    throw badRequest(`A collection can have ${MOST_DIRECTORIES} directories.`)
  if (ancestorsOf(all, parentId).length >= DEEPEST)
    throw badRequest(`Directories can be ${DEEPEST} levels deep.`)
  const now = nowSeconds()
  const row = {
    id: newId(),
    knowledge_id: id,
    user_id: caller.userId,
    parent_id: parentId,
    name,
    created_at: now,
    updated_at: now,
  }
  await directoryStore.insertDirectory(row)
  await store.update(id, { updated_at: now })
  return row
}

async function requireRow(
  context: KnowledgeContext,
  id: string,
  directoryId: string,
): Promise<DirectoryRow> {
  const row = await context.directoryStore.directory(id, directoryId)
  if (!row) throw notFound('There is no such directory in this collection.')
  return row
}

export async function updateDirectory(
  context: KnowledgeContext,
  caller: Caller,
  { id, directoryId }: { id: string; directoryId: string },
  changes: { name?: string; parent_id?: string | null },
): Promise<DirectoryRow> {
  await requireKnowledge(context, caller, id, 'write')
  return context.storage.transaction(() => changeDirectory(context, { id, directoryId }, changes))
}

/** Must be called within a transaction, so that concurrent moves cannot create a cycle. */
async function changeDirectory(
  context: KnowledgeContext,
  { id, directoryId }: { id: string; directoryId: string },
  changes: { name?: string; parent_id?: string | null },
): Promise<DirectoryRow> {
  const { directoryStore } = context
  const row = await requireRow(context, id, directoryId)
  const parentId =
    changes.parent_id === undefined
      ? row.parent_id
      : await requireDirectory(context, id, changes.parent_id)
  const name = requireName(changes.name ?? row.name)
  const all = await directoryStore.directories(id)
  const above = ancestorsOf(all, parentId)
  if (above.includes(directoryId)) throw badRequest('A directory cannot be moved into itself.')
  if (above.length + heightOf(all, directoryId) > DEEPEST)
    throw badRequest(`Directories can be ${DEEPEST} levels deep.`)
  requireFree(all, parentId, name, directoryId)
  const changed = { name, parent_id: parentId, updated_at: nowSeconds() }
  await directoryStore.updateDirectory(directoryId, changed)
  return { ...row, ...changed }
}

/** Also removes nested directories; their files move up to the parent. */
export async function removeDirectory(
  context: KnowledgeContext,
  caller: Caller,
  id: string,
  directoryId: string,
): Promise<void> {
  const { storage, store, directoryStore } = context
  await requireKnowledge(context, caller, id, 'write')
  await storage.transaction(async () => {
    const { parent_id } = await requireRow(context, id, directoryId)
    await directoryStore.moveFilesOf(
      descendantsOf(await directoryStore.directories(id), directoryId),
      parent_id,
    )
    await directoryStore.removeDirectory(directoryId)
    await store.update(id, { updated_at: nowSeconds() })
  })
}
