import path from 'node:path'
import { openBlobs } from '../storage/blobs.ts'
import { createCreateFile } from './create-file.ts'
import type { FileEntry, FilesDependencies } from './index.ts'
import { createLeftovers } from './leftovers.ts'
import { createLimits } from './limits.ts'
import { processFile } from './process-file.ts'
import { createProgressBoard } from './progress.ts'
import { createQueue } from './queue.ts'
import { createFileAccess } from './read-access.ts'
import { createFileStore, createJobStore, createLeftoverStore, type FileRow } from './store.ts'
import { createTexts } from './text/texts.ts'
import { createUnusedFiles } from './unused/unused-files.ts'
import { statusOf, toEntry } from './to-entry.ts'

/** Everything the parts of this domain share. */
export function createFileParts(dependencies: FilesDependencies) {
  const { storage, settings, users, events, retrieval, extraction, log } = dependencies
  const store = createFileStore(storage)
  const blobs = openBlobs(path.join(dependencies.dataDir, 'uploads'), store.hasBlob)
  const texts = createTexts(storage)
  const board = createProgressBoard(events)
  const limits = createLimits(settings)
  const removalListeners: ((fileId: string) => void)[] = []
  const processedListeners: ((file: FileEntry) => void)[] = []
  const pathOf = (row: FileRow): string => blobs.path(row.blob_id)
  const leftovers = createLeftovers({
    storage,
    store: createLeftoverStore(storage),
    blobs,
    retrieval,
    onDocument: (fileId) => removalListeners.forEach((listener) => listener(fileId)),
    log,
  })
  const announce = (row: FileRow): void =>
    board.announce(row.user_id, {
      id: row.id,
      status: statusOf(row),
      error: row.error,
      progress: board.of(row.id),
    })
  const jobs = createJobStore(storage)
  const queue = createQueue({
    files: store,
    jobs,
    log,
    work: (row, run) => processFile({ store, texts, extraction, retrieval, pathOf }, row, run),
    onChange(fileId, progress) {
      if (progress) board.set(fileId, progress)
      else board.clear(fileId)
      const row = store.get(fileId)
      if (!row) return
      announce(row)
      if (progress) return
      texts.keepOnly(fileId, row.text_version)
      for (const listener of processedListeners) listener(toEntry(row))
    },
    onGone(fileId) {
      board.clear(fileId)
      retrieval.forget(fileId)
    },
  })
  const access = createFileAccess(store, users)
  const storeFile = createCreateFile({
    storage,
    store,
    blobs,
    limits,
    hasAccount: (userId) => users.get(userId) !== null,
  })
  const unused = createUnusedFiles({
    storage,
    store,
    remove(id) {
      store.remove(id)
      leftovers.clear()
    },
  })
  const streams = new Set<() => void>()
  // Rows of accounts and of all files go in the background, and leave bytes and passages behind as
  // they go.
  storage.deletions.onErased(({ kind }) => {
    if (kind !== 'chats') leftovers.clear()
  })
  return {
    streams,
    deletions: storage.deletions,
    store,
    jobs,
    blobs,
    texts,
    board,
    limits,
    leftovers,
    queue,
    access,
    storeFile,
    pathOf,
    announce,
    removalListeners,
    processedListeners,
    unused,
    uses: dependencies.uses,
  }
}

export type FileParts = ReturnType<typeof createFileParts>
