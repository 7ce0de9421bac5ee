import type { FileNews } from '#contract/files.ts'
import type { Blobs } from '../storage/blobs/blobs.ts'
import { openBlobs } from '../storage/blobs/open-blobs.ts'
import { createCreateFile } from './storing/create-file.ts'
import type { FilesDependencies } from './files-dependencies.ts'
import type { FileEntry } from './file-entry.ts'
import { Leftovers } from './storing/leftovers.ts'
import { Limits } from './limits.ts'
import { processFile } from './processing/process-file.ts'
import { OtherReaders } from './processing/other-readers.ts'
import { ProgressBoard } from './processing/progress.ts'
import { Queue } from './processing/queue.ts'
import { createFileAccess } from './reading/read-access.ts'
import { FileStore, JobStore, LeftoverStore, type FileRow } from './store.ts'
import { Texts } from './text/texts.ts'
import { UnusedFiles } from './unused/unused-files.ts'
import { statusOf, toEntry } from './reading/to-entry.ts'

/** Creates the queue that reads files and reports its progress. */
function openQueue(
  { retrieval, extraction, recordings, log }: FilesDependencies,
  {
    store,
    jobs,
    others,
    texts,
    board,
    blobs,
    announce,
    onProcessed,
  }: {
    store: FileStore
    jobs: JobStore
    others: OtherReaders | null
    texts: Texts
    board: ProgressBoard
    blobs: Blobs
    announce: (row: FileRow) => void
    onProcessed: (file: FileEntry) => Promise<void>
  },
): Queue {
  return new Queue({
    files: store,
    jobs,
    others,
    log,
    work: (row, run) =>
      processFile({ store, texts, extraction, recordings, retrieval, blobs }, row, run),
    async onChange(fileId, progress) {
      if (progress) board.set(fileId, progress)
      else board.clear(fileId)
      const row = await store.get(fileId)
      if (!row) return
      announce(row)
      if (progress) return
      await texts.keepOnly(fileId, row.text_version)
      await onProcessed(toEntry(row))
    },
    async onGone(fileId) {
      board.clear(fileId)
      await retrieval.forget(fileId)
    },
  })
}

async function tellAll<Subject>(
  listeners: readonly ((subject: Subject) => Promise<void>)[],
  subject: Subject,
): Promise<void> {
  for (const listener of listeners) await listener(subject)
}

const toNews = (row: FileRow, board: ProgressBoard): FileNews => ({
  id: row.id,
  status: statusOf(row),
  error: row.error,
  progress: board.of(row.id),
})

/**
 * Creates the function that waits until a file has been read, by whichever gateway, and returns its
 * state.
 */
const createReadElsewhere =
  (queue: Queue, store: FileStore, newsOf: (row: FileRow) => FileNews) =>
  async (fileId: string): Promise<FileNews> => {
    await queue.whenDone(fileId)
    const row = await store.get(fileId)
    return row ? newsOf(row) : { id: fileId, status: 'not_found', error: null, progress: null }
  }

/** Creates the shared dependencies of this domain. */
export function createFileParts(dependencies: FilesDependencies) {
  const { storage, settings, users, events, retrieval, log } = dependencies
  const store = new FileStore(storage)
  const { dataDir, bucket = null, hasOtherGateways: isShared = false } = dependencies
  const places = { dataDir, bucket, storage, isShared, log }
  const blobs = openBlobs({ ...places, isKnown: (id) => store.hasBlob(id) })
  const texts = new Texts(storage)
  const board = new ProgressBoard(events)
  const limits = new Limits(settings)
  const removalListeners: ((fileId: string) => Promise<void>)[] = []
  const processedListeners: ((file: FileEntry) => Promise<void>)[] = []
  const leftovers = new Leftovers({
    storage,
    store: new LeftoverStore(storage),
    blobs,
    retrieval,
    onDocument: (fileId) => tellAll(removalListeners, fileId),
    log,
  })
  const newsOf = (row: FileRow): FileNews => toNews(row, board)
  const announce = (row: FileRow): void => board.announce(row.user_id, newsOf(row))
  const jobs = new JobStore(storage)
  const { live = null } = dependencies
  const others = live && new OtherReaders(live, jobs, log)
  const queue = openQueue(dependencies, {
    store,
    jobs,
    others,
    texts,
    board,
    blobs,
    announce,
    onProcessed: (file) => tellAll(processedListeners, file),
  })
  const access = createFileAccess(store, users)
  const storeFile = createCreateFile({
    storage,
    store,
    blobs,
    limits,
    hasAccount: async (userId) => (await users.get(userId)) !== null,
  })
  const unused = new UnusedFiles({
    storage,
    store,
    async remove(id) {
      await store.remove(id)
      await leftovers.clear()
    },
  })
  const streams = new Set<() => void>()
  // Rows of deleted accounts and of all files are deleted in the background and leave bytes and
  // passages behind.
  storage.deletions.onErased(async ({ kind }) => {
    if (kind !== 'chats') await leftovers.clear()
  })
  return {
    streams,
    deletions: storage.deletions,
    store,
    jobs,
    others,
    blobs,
    texts,
    board,
    limits,
    leftovers,
    queue,
    access,
    storeFile,
    announce,
    newsOf,
    readElsewhere: others && createReadElsewhere(queue, store, newsOf),
    removalListeners,
    processedListeners,
    unused,
    uses: dependencies.uses,
  }
}

export type FileParts = ReturnType<typeof createFileParts>
