import { readWhole, type Blob } from '../storage/blobs/blobs.ts'
import { nowSeconds } from '../lib/ids.ts'
import { createChanges, follow } from './storing/change-files.ts'
import { collectBytes } from './storing/create-file.ts'
import { createFileParts } from './file-parts.ts'
import { parseFacts } from './processing/process-file.ts'
import { GAVE_UP, MOST_ATTEMPTS } from './processing/queue.ts'
import { missing } from './reading/read-access.ts'
import { readEach } from './reading/read-each.ts'
import { createFileRoutes } from './routes.ts'
import { blobOf, type FileStore } from './store.ts'
import { toDataUrl } from './reading/to-data-url.ts'
import { toEntry } from './reading/to-entry.ts'
import type { Files } from './files.ts'
import type { FilesDependencies } from './files-dependencies.ts'

export { createFileShelf } from './storing/imported-files.ts'
export type { FilesDependencies } from './files-dependencies.ts'

export type { Files } from './files.ts'

export type { FileEntry } from './file-entry.ts'

export { openOldFiles } from './storing/old-files.ts'
export type { OldFile, OldFiles } from './storing/old-files.ts'

const SWEEP_MILLISECONDS = 24 * 60 * 60 * 1000

async function requireBlob(store: FileStore, id: string): Promise<Blob> {
  const row = await store.get(id)
  if (!row) throw missing()
  return blobOf(row)
}

/** Builds the domain on the tables of `0015-files` and the folder `uploads`. */
export function createFiles(dependencies: FilesDependencies): Files {
  const { users, log, settings } = dependencies
  let nextSweep = 0
  const parts = createFileParts(dependencies)
  const { store, jobs, others, blobs, texts, queue, leftovers, access, storeFile } = parts

  users.onRemoved(async (userId) => {
    queue.cancelOf(userId)
    await leftovers.clear()
  })

  /** Resumes files whose jobs were interrupted by a crash, and cleans up after it. */
  async function takeUp(): Promise<void> {
    // Files that other gateways are writing look like remains of a crash.
    const isAlone = dependencies.live?.replicas.isAlone ?? true
    if (isAlone) await Promise.all([blobs.tidy(), jobs.restore()])
    await others?.open()
    for (const id of await jobs.giveUp(MOST_ATTEMPTS, GAVE_UP, nowSeconds()))
      log.warn({ file: id }, 'processing of a file was abandoned')
    await queue.start()
    await leftovers.clear()
    leftovers.watch()
    if (isAlone) await texts.tidy()
  }

  const files: Omit<Files, 'routes'> = {
    ...createChanges(parts, dependencies.retrieval),
    async get(userId, id) {
      const row = await access.findReadable(userId, id)
      return row && toEntry(row)
    },
    async find(id) {
      const row = await store.get(id)
      return row ? toEntry(row) : null
    },
    each: (ids) => readEach(store, ids),
    async content(id) {
      const row = await store.get(id)
      if (!row || row.text_length === null) return null
      return {
        ...parseFacts(await store.document(id)),
        text: await texts.read(id, row.text_version),
      }
    },
    textLength: async (id) => (await store.get(id))?.text_length ?? null,
    async open(id, reading) {
      return blobs.open(await requireBlob(store, id), reading)
    },
    async read(id) {
      return readWhole(blobs, await requireBlob(store, id))
    },
    async create(ownerId, { content, ...about }, { process, background }) {
      const bytes = await collectBytes(content, () => blobs.newTemporaryFile())
      const id = await storeFile(ownerId, bytes, { ...about, process })
      return toEntry(await follow(parts, id, !background))
    },
    onProcessed: (listener) => void parts.processedListeners.push(listener),
    onRemoved: (listener) => void parts.removalListeners.push(listener),
    addReadRule: (rule) => access.addReadRule(rule),
    toDataUrl: (userId, reference) =>
      toDataUrl(reference, (id) => access.findReadable(userId, id), blobs),
    async keepUp() {
      const days = settings.get('FILE_RETENTION_DAYS')
      if (days === 0 || Date.now() < nextSweep) return
      nextSweep = Date.now() + SWEEP_MILLISECONDS
      const { removed } = await parts.unused.remove(days)
      if (removed > 0) log.info({ removed, days }, 'unused files were deleted')
    },
    unread: async () => ({ left: await jobs.count(), running: queue.running }),
    resume() {
      return takeUp().catch((error: unknown) =>
        log.error({ error }, 'files left by the previous process could not be resumed'),
      )
    },
    async close() {
      for (const end of parts.streams) end()
      others?.close()
      await queue.close()
      await leftovers.close()
      blobs.close?.()
    },
  }
  return { ...files, routes: createFileRoutes(files, parts) }
}
