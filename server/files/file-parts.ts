import type { FileNews } from '#contract/files.ts'
import { KeyedLines } from '../lib/timing/keyed-lines.ts'
import type { Blobs } from '../storage/blobs/blobs.ts'
import { openBlobs } from '../storage/blobs/open-blobs.ts'
import type { Storage } from '../storage/index.ts'
import type { FilesDependencies } from './files-dependencies.ts'
import type { FileEntry } from './file-entry.ts'
import { Leftovers } from './storing/leftovers.ts'
import { Limits } from './limits.ts'
import { processFile } from './processing/process-file.ts'
import { OtherReaders } from './processing/other-readers.ts'
import { ProgressBoard } from './processing/progress.ts'
import { Queue } from './processing/queue.ts'
import { FileAccess, type ReadRule } from './reading/read-access.ts'
import { FileStore, JobStore, LeftoverStore, type FileRow } from './store.ts'
import { Texts } from './text/texts.ts'
import { UnusedFiles } from './unused/unused-files.ts'
import { statusOf, toEntry } from './reading/to-entry.ts'

/** Read rules and listeners that other domains registered. */
interface Registered {
  readonly readRules: readonly ReadRule[]
  readonly onProcessed: (file: FileEntry) => Promise<void>
  readonly onRemoved: (fileId: string) => Promise<void>
}

/** Stores, queue and announcements that the operations of this domain share. */
export class FileParts {
  readonly storage: Storage
  readonly users: FilesDependencies['users']
  readonly retrieval: FilesDependencies['retrieval']
  readonly uses: FilesDependencies['uses']
  readonly store: FileStore
  readonly jobs: JobStore
  readonly others: OtherReaders | null
  readonly blobs: Blobs
  readonly texts: Texts
  readonly board: ProgressBoard
  readonly limits: Limits
  readonly leftovers: Leftovers
  readonly queue: Queue
  readonly access: FileAccess
  readonly unused: UnusedFiles
  /** Each change of a file stops its processing and removes the texts of the previous changes. */
  readonly changes = new KeyedLines()
  /** Functions that end the open streams. */
  readonly streams = new Set<() => void>()

  constructor(dependencies: FilesDependencies, { readRules, onProcessed, onRemoved }: Registered) {
    const { storage, settings, users, events, retrieval, log } = dependencies
    const { dataDir, bucket = null, hasOtherGateways: isShared = false } = dependencies
    const { live = null } = dependencies
    this.storage = storage
    this.users = users
    this.retrieval = retrieval
    this.uses = dependencies.uses
    const store = (this.store = new FileStore(storage))
    const places = { dataDir, bucket, storage, isShared, log }
    this.blobs = openBlobs({ ...places, isKnown: (id) => store.hasBlob(id) })
    this.texts = new Texts(storage)
    this.board = new ProgressBoard(events)
    this.limits = new Limits(settings)
    this.leftovers = new Leftovers({
      storage,
      store: new LeftoverStore(storage),
      blobs: this.blobs,
      retrieval,
      onDocument: onRemoved,
      log,
    })
    this.jobs = new JobStore(storage)
    this.others = live && new OtherReaders(live, this.jobs, log)
    this.queue = this.#openQueue(dependencies, onProcessed)
    this.access = new FileAccess(store, users, readRules)
    this.unused = new UnusedFiles({
      storage,
      store,
      remove: async (id) => {
        await store.remove(id)
        await this.leftovers.clear()
      },
    })
    // Rows of deleted accounts and of all files are deleted in the background and leave bytes and
    // passages behind.
    storage.deletions.onErased(async ({ kind }) => {
      if (kind !== 'chats') await this.leftovers.clear()
    })
  }

  newsOf(row: FileRow): FileNews {
    return {
      id: row.id,
      status: statusOf(row),
      error: row.error,
      progress: this.board.of(row.id),
    }
  }

  announce(row: FileRow): void {
    this.board.announce(row.user_id, this.newsOf(row))
  }

  announceRemoval({ id, user_id }: Pick<FileRow, 'id' | 'user_id'>): void {
    this.board.announce(user_id, toGone(id))
  }

  /** Resolves with the state of a file once it has been read, by whichever gateway. */
  async whenRead(fileId: string): Promise<FileNews> {
    await this.queue.whenDone(fileId)
    const row = await this.store.get(fileId)
    return row ? this.newsOf(row) : toGone(fileId)
  }

  /** Creates the queue that reads files and reports its progress. */
  #openQueue(
    { retrieval, extraction, recordings, log }: FilesDependencies,
    onProcessed: Registered['onProcessed'],
  ): Queue {
    const { store, jobs, others, texts, board, blobs } = this
    return new Queue({
      files: store,
      jobs,
      others,
      log,
      work: (row, run) =>
        processFile({ store, texts, extraction, recordings, retrieval, blobs }, row, run),
      onChange: async (fileId, progress) => {
        if (progress) board.set(fileId, progress)
        else board.clear(fileId)
        const row = await store.get(fileId)
        if (!row) return
        this.announce(row)
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
}

const toGone = (id: string): FileNews => ({ id, status: 'not_found', error: null, progress: null })
