import { filterInOrder } from '../lib/in-order.ts'
import type { SyncDiff, SyncInput } from '#contract/knowledge-files.ts'
import type { Caller } from '../lib/http.ts'
import { nowSeconds } from '../lib/ids.ts'
import { descendantsOf } from './change-directories.ts'
import { deleteUnused, takeOut } from './change-files.ts'
import { requireKnowledge, type KnowledgeContext } from './knowledge-context.ts'
import type { DirectoryRow } from './directory-store.ts'

/** Number of paths processed before other requests are served. */
const STEP = 200

/** Normalises a path: forward slashes, no `.`, none at the ends, accents in one encoding. */
const toPath = (path: string): string =>
  path
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
    .normalize('NFC')

/** Returns the full path of each directory by its id. */
export function directoryPaths(all: readonly DirectoryRow[]): Map<string, string> {
  const byId = new Map(all.map((each) => [each.id, each]))
  const paths = new Map<string, string>()
  const pathOf = (id: string): string => {
    const known = paths.get(id)
    if (known !== undefined) return known
    const row = byId.get(id)
    if (!row) return ''
    const above = row.parent_id === null ? '' : `${pathOf(row.parent_id)}/`
    paths.set(id, above + row.name)
    return above + row.name
  }
  for (const { id } of all) pathOf(id)
  return paths
}

const joinPath = (directory: string | undefined, name: string): string =>
  toPath(directory === undefined ? name : `${directory}/${name}`)

/**
 * Computes the changes that make a collection equal to an external folder, in steps, because both
 * may be large.
 */
export async function* compareWithFolder(
  context: KnowledgeContext,
  caller: Caller,
  id: string,
  { files, manifest }: SyncInput,
): AsyncGenerator<void, SyncDiff> {
  const { linkStore, directoryStore } = context
  await requireKnowledge(context, caller, id, 'read')
  const directories = directoryPaths(await directoryStore.directories(id))
  const stored = new Map(
    (await linkStore.syncRows(id)).map((row) => [
      joinPath(
        row.directory_id === null ? undefined : directories.get(row.directory_id),
        row.filename,
      ),
      row,
    ]),
  )
  const diff: SyncDiff = {
    added: [],
    modified: [],
    deleted: [],
    mkdir: [],
    rmdir: [],
    unmodified_count: 0,
    directory_map: {},
  }
  const sent = new Set<string>()
  for (const { filename, path: folder, checksum } of files ?? manifest ?? []) {
    const place = { filename, path: toPath(folder) }
    const path = joinPath(place.path, filename)
    if (sent.has(path)) continue
    sent.add(path)
    if (sent.size % STEP === 0) yield
    const row = stored.get(path)
    if (!row) diff.added.push(place)
    else if (checksum && checksum.toLowerCase() !== row.hash)
      diff.modified.push({ ...place, stale_file_id: row.file_id })
    else diff.unmodified_count += 1
  }
  for (const [path, { file_id, filename }] of stored) {
    if (!sent.has(path))
      diff.deleted.push({
        file_id,
        filename,
        path: path.slice(0, Math.max(0, path.lastIndexOf('/'))),
      })
  }
  const wanted = new Set<string>()
  for (const path of sent) {
    for (
      let end = path.lastIndexOf('/');
      end > 0 && !wanted.has(path.slice(0, end));
      end = path.lastIndexOf('/', end - 1)
    )
      wanted.add(path.slice(0, end))
    if (wanted.size % STEP === 0) yield
  }
  const ids = new Map(
    [...directories].map(([directoryId, path]) => [path.normalize('NFC'), directoryId]),
  )
  for (const [path, directoryId] of ids) if (!wanted.has(path)) diff.rmdir.push(directoryId)
  diff.mkdir = [...wanted].filter((path) => !ids.has(path)).toSorted()
  diff.directory_map = Object.fromEntries(ids)
  return diff
}

/**
 * Removes files that no longer exist externally, in steps. Ids that are not in the collection are
 * ignored, so that a second run has no effect.
 */
export async function* cleanUp(
  context: KnowledgeContext,
  caller: Caller,
  id: string,
  {
    file_ids = [],
    directory_ids = [],
  }: { file_ids?: readonly string[]; directory_ids?: readonly string[] },
): AsyncGenerator<void, number> {
  const { storage, store, linkStore } = context
  await requireKnowledge(context, caller, id, 'write')
  const removed = await storage.transaction(async () => {
    const present = await filterInOrder([...new Set(file_ids)], (fileId) =>
      linkStore.link(id, fileId),
    )
    for (const fileId of present) await takeOut(context, id, fileId)
    for (const directoryId of new Set(directory_ids)) await removeIfEmpty(context, id, directoryId)
    await store.update(id, { updated_at: nowSeconds() })
    return present
  })
  for (const fileId of removed) {
    await deleteUnused(context, caller, fileId)
    yield
  }
  return removed.length
}

async function removeIfEmpty(
  { linkStore, directoryStore }: KnowledgeContext,
  id: string,
  directoryId: string,
): Promise<void> {
  if (!(await directoryStore.directory(id, directoryId))) return
  const inside = new Set(descendantsOf(await directoryStore.directories(id), directoryId))
  const isUsed = (await linkStore.links(id)).some(
    ({ directory_id }) => directory_id !== null && inside.has(directory_id),
  )
  if (!isUsed) await directoryStore.removeDirectory(directoryId)
}
