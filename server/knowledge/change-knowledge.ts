import type { KnowledgeInput, KnowledgeUpdate } from '#contract/knowledge.ts'
import { checkPlainJson } from '../lib/json/check-plain-json.ts'
import { tooLarge } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { newId, nowSeconds } from '../lib/ids.ts'
import { nextVersionAt, requireKnown } from '../lib/known-version.ts'
import { requireKnowledge, type KnowledgeContext } from './knowledge-context.ts'
import { deleteUnused } from './change-files.ts'
import type { KnowledgeRow } from './store.ts'

const LARGEST_META_BYTES = 1024 * 1024

/** Returns a text in its form for comparison: without case, and with accents in one encoding. */
export const toSearchKey = (text: string): string => text.normalize('NFC').toLowerCase()

function toMeta(value: Record<string, unknown>): string {
  checkPlainJson(value, 'The collection')
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > LARGEST_META_BYTES)
    throw tooLarge(`The details of a collection may have ${LARGEST_META_BYTES} bytes.`)
  return text
}

export async function createKnowledgeRow(
  { storage, store, access }: KnowledgeContext,
  caller: Caller,
  input: KnowledgeInput,
): Promise<KnowledgeRow> {
  const now = nowSeconds()
  const description = input.description ?? ''
  const row: KnowledgeRow = {
    id: newId(),
    user_id: caller.userId,
    name: input.name,
    description,
    search_key: toSearchKey(`${input.name}\n${description}`),
    meta: toMeta(input.meta ?? {}),
    created_at: now,
    updated_at: now,
  }
  await storage.transaction(async () => {
    await store.insert(row)
    await access.replace(caller, { type: 'knowledge', id: row.id }, input)
  })
  return row
}

/** Fields that are not sent stay unchanged; fields of `meta` are replaced individually. */
export function updateKnowledge(
  context: KnowledgeContext,
  caller: Caller,
  id: string,
  changes: KnowledgeUpdate,
): Promise<KnowledgeRow> {
  const { storage, store, access } = context
  // Another user may be changing or deleting it.
  return storage.transaction(async () => {
    const row = await requireKnowledge(context, caller, id, 'write')
    requireKnown(row.updated_at, changes.known_at)
    const name = changes.name ?? row.name
    const description = changes.description ?? row.description
    const changed = {
      name,
      description,
      search_key: toSearchKey(`${name}\n${description}`),
      meta: toMeta({ ...(JSON.parse(row.meta) as object), ...changes.meta }),
      updated_at: nextVersionAt(row.updated_at),
    }
    await store.update(id, changed)
    await access.replace(caller, { type: 'knowledge', id }, changes)
    return { ...row, ...changed }
  })
}

/** Removes everything from the collection; the files stay. */
export async function resetKnowledge(
  context: KnowledgeContext,
  caller: Caller,
  id: string,
): Promise<KnowledgeRow> {
  const { storage, store, linkStore, directoryStore, retrieval } = context
  const emptied = await storage.transaction(async () => {
    const row = await requireKnowledge(context, caller, id, 'write')
    const changed = { updated_at: nowSeconds() }
    await linkStore.removeLinks(id)
    await directoryStore.removeDirectories(id)
    await store.update(id, changed)
    return { ...row, ...changed }
  })
  await retrieval.collections.clear(id)
  return emptied
}

/** Removes its files in steps, because there may be many. */
export async function* removeKnowledge(
  context: KnowledgeContext,
  caller: Caller,
  id: string,
  withFiles: boolean,
): AsyncGenerator<void, void> {
  const { storage, store, linkStore, access, retrieval } = context
  await requireKnowledge(context, caller, id, 'write')
  const fileIds = (await linkStore.links(id)).map(({ file_id }) => file_id)
  await storage.transaction(async () => {
    await store.remove(id)
    await access.remove('knowledge', id)
  })
  await retrieval.collections.drop(id)
  for (const fileId of withFiles ? fileIds : []) {
    await deleteUnused(context, caller, fileId)
    yield
  }
}
