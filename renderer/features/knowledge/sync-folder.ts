import type { SyncDiff } from '#contract/knowledge-files.ts'
import { call, endpoints } from '../../api/client.ts'
import { type FoundFile, pathOf } from '../../lib/found-files.ts'
import type { CollectionSession } from './collection-session.ts'
import { putCollection, showDirectory } from './collection-store.ts'
import { translate } from '../../lib/i18n.ts'

const toHex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** The chosen folder is the root of the collection: its own name is not part of the paths. */
export const withoutTop = (files: readonly FoundFile[]): readonly FoundFile[] =>
  files.map(({ file, folders }) => ({ file, folders: folders.slice(1) }))

/** Returns the path of a compared file, including its name. */
export const pathInside = ({ path, filename }: { path: string; filename: string }): string =>
  (path === '' ? filename : `${path}/${filename}`).normalize('NFC')

interface CompareOptions {
  readonly signal: AbortSignal
  readonly onProgress: (done: number, name: string) => void
}

/**
 * Compares a folder with the collection by paths and contents. Only one file is held in memory at a
 * time.
 */
export async function compareFolder(
  id: string,
  files: readonly FoundFile[],
  { signal, onProgress }: CompareOptions,
): Promise<SyncDiff> {
  const entries = []
  // Browsers provide `crypto.subtle`, which hashes contents for comparison, only to pages in a
  // secure context.
  const { subtle } = crypto as { subtle?: SubtleCrypto }
  if (!subtle) throw new Error(translate('knowledge.sync.untrusted'))
  for (const [index, found] of files.entries()) {
    signal.throwIfAborted()
    onProgress(index, found.file.name)
    const checksum = toHex(await subtle.digest('SHA-256', await found.file.arrayBuffer()))
    entries.push({
      path: found.folders.join('/'),
      filename: found.file.name,
      checksum,
      size: found.file.size,
    })
  }
  return call(
    endpoints.knowledge.compare,
    { params: { knowledge_id: id }, body: { files: entries } },
    { signal },
  )
}

/** Removes files that were changed or deleted, and uploads new and changed ones. */
export async function applyDiff(
  { id, store, into }: CollectionSession,
  files: readonly FoundFile[],
  diff: SyncDiff,
  removes: boolean,
): Promise<void> {
  const gone = diff.modified.map(({ stale_file_id }) => stale_file_id)
  if (removes) gone.push(...diff.deleted.map(({ file_id }) => file_id))
  const directories = removes ? diff.rmdir : []
  const params = { knowledge_id: id }
  if (gone.length > 0 || directories.length > 0) {
    await call(endpoints.knowledge.cleanUp, {
      params,
      body: { file_ids: gone, directory_ids: directories },
    })
    putCollection(store, await call(endpoints.knowledge.get, { params }))
  }
  showDirectory(store, null)
  const wanted = new Set([...diff.added, ...diff.modified].map(pathInside))
  await into.add(
    files.filter((found) => wanted.has(pathOf(found).normalize('NFC'))),
    null,
  )
}
