import type { KnowledgeInput, KnowledgeUpdate } from '#contract/knowledge.ts'
import { checkPlainJson } from '../lib/check-plain-json.ts'
import { tooLarge } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { newId, nowSeconds } from '../lib/ids.ts'
import { requireKnowledge, type KnowledgeContext } from './knowledge-context.ts'
import { deleteUnused } from './change-files.ts'
import type { KnowledgeRow } from './store.ts'

const LARGEST_META_BYTES = 1024 * 1024

/** Text as it is compared: without case, and accents in one spelling. */
export const toSearchKey = (text: string): string => text.normalize('NFC').toLowerCase()

function toMeta(value: Record<string, unknown>): string {
  checkPlainJson(value, 'The collection')
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > LARGEST_META_BYTES)
    throw tooLarge(`The details of a collection may have ${LARGEST_META_BYTES} bytes.`)
  return text
}

export function createKnowledgeRow(
  { storage, store, access }: KnowledgeContext,
  caller: Caller,
  input: KnowledgeInput,
): KnowledgeRow {
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
  storage.transaction(() => {
    store.insert(row)
    access.replace(caller, { type: 'knowledge', id: row.id }, input)
  })
  return row
}

/** Fields that are not sent stay; those of `meta` are replaced one by one. */
export function updateKnowledge(
  context: KnowledgeContext,
  caller: Caller,
  id: string,
  changes: KnowledgeUpdate,
): KnowledgeRow {
  const { storage, store, access } = context
  const row = requireKnowledge(context, caller, id, 'write')
  const name = changes.name ?? row.name
  const description = changes.description ?? row.description
  const meta = toMeta({ ...(JSON.parse(row.meta) as object), ...changes.meta })
  storage.transaction(() => {
    store.update(id, {
      name,
      description,
      search_key: toSearchKey(`${name}\n${description}`),
      meta,
      updated_at: nowSeconds(),
    })
    access.replace(caller, { type: 'knowledge', id }, changes)
  })
  return store.get(id)!
}

/** Takes everything out; the files stay. */
export function resetKnowledge(
  context: KnowledgeContext,
  caller: Caller,
  id: string,
): KnowledgeRow {
  const { storage, store, linkStore, directoryStore, retrieval } = context
  requireKnowledge(context, caller, id, 'write')
  storage.transaction(() => {
    linkStore.removeLinks(id)
    directoryStore.removeDirectories(id)
    store.update(id, { updated_at: nowSeconds() })
  })
  retrieval.collections.clear(id)
  return store.get(id)!
}

/** Removes its files in steps, because there may be many. */
export function* removeKnowledge(
  context: KnowledgeContext,
  caller: Caller,
  id: string,
  withFiles: boolean,
): Generator<void, void> {
  const { storage, store, linkStore, access, retrieval } = context
  requireKnowledge(context, caller, id, 'write')
  const fileIds = linkStore.links(id).map(({ file_id }) => file_id)
  storage.transaction(() => {
    store.remove(id)
    access.remove('knowledge', id)
  })
  retrieval.collections.drop(id)
  for (const fileId of withFiles ? fileIds : []) {
    deleteUnused(context, caller, fileId)
    yield
  }
}
