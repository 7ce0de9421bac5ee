import type { Readable } from 'node:stream'
import { nowSeconds } from '../lib/ids.ts'
import type { Route } from '../lib/http.ts'
import type { ExtractedDocument } from '../retrieval/index.ts'
import { readWhole, type Blob, type BlobReading } from '../storage/blobs/blobs.ts'
import type { FileEntry, NewFile } from './file-entry.ts'
import { FileParts } from './file-parts.ts'
import type { FilesDependencies } from './files-dependencies.ts'
import { parseFacts } from './processing/process-file.ts'
import { GAVE_UP, MOST_ATTEMPTS } from './processing/queue.ts'
import { missing, type ReadRule } from './reading/read-access.ts'
import { readEach } from './reading/read-each.ts'
import { toDataUrl } from './reading/to-data-url.ts'
import { toEntry } from './reading/to-entry.ts'
import { createFileRoutes } from './routes.ts'
import { blobOf } from './store.ts'
import {
  follow,
  readAgain,
  removeAllFiles,
  removeFile,
  renameFile,
  replaceText,
} from './storing/change-files.ts'
import { collectBytes, storeFile } from './storing/create-file.ts'

const SWEEP_MILLISECONDS = 24 * 60 * 60 * 1000

/** Options for reading and embedding a file and for waiting for the result. */
interface ProcessOptions {
  readonly process: boolean
  readonly background: boolean
}

/**
 * Uploaded files: stored bytes, their text, and the queue that extracts and embeds it, on the
 * tables of `0015-files` and the folder `uploads`.
 */
export class Files {
  readonly #dependencies: FilesDependencies
  readonly #parts: FileParts
  readonly #readRules: ReadRule[] = []
  readonly #processedListeners: ((file: FileEntry) => Promise<void>)[] = []
  readonly #removalListeners: ((fileId: string) => Promise<void>)[] = []
  #nextSweep = 0
  readonly routes: readonly Route[]

  constructor(dependencies: FilesDependencies) {
    this.#dependencies = dependencies
    const parts = (this.#parts = new FileParts(dependencies, {
      readRules: this.#readRules,
      onProcessed: (file) => tellAll(this.#processedListeners, file),
      onRemoved: (fileId) => tellAll(this.#removalListeners, fileId),
    }))
    dependencies.users.onRemoved(async (userId) => {
      parts.queue.cancelOf(userId)
      await parts.leftovers.clear()
    })
    this.routes = createFileRoutes(parts)
  }

  /** Resolves with null unless the user owns it, is an administrator, or may read it by a rule. */
  async get(userId: string, id: string): Promise<FileEntry | null> {
    const row = await this.#parts.access.findReadable(userId, id)
    return row && toEntry(row)
  }

  /** Without an access check, for jobs. */
  async find(id: string): Promise<FileEntry | null> {
    const row = await this.#parts.store.get(id)
    return row ? toEntry(row) : null
  }

  /** Yields files in the order of their ids, read a few at a time; deleted ones are left out. */
  each(ids: readonly string[]): AsyncIterable<FileEntry> {
    return readEach(this.#parts.store, ids)
  }

  /** Text and pages; null until available. Whole texts may be long: see `textLength`. */
  async content(id: string): Promise<ExtractedDocument | null> {
    const { store, texts } = this.#parts
    const row = await store.get(id)
    if (!row || row.text_length === null) return null
    return {
      ...parseFacts(await store.document(id)),
      text: await texts.read(id, row.text_version),
    }
  }

  /** Length of the text in UTF-16 units without reading it; null until available. */
  async textLength(id: string): Promise<number | null> {
    return (await this.#parts.store.get(id))?.text_length ?? null
  }

  /**
   * Returns the stored bytes as a stream, which fails unless all of them are read. 404 if there is
   * no such file.
   */
  async open(id: string, reading?: Pick<BlobReading, 'signal' | 'pieceBytes'>): Promise<Readable> {
    return this.#parts.blobs.open(await this.#requireBlob(id), reading)
  }

  /** Resolves with all stored bytes of a file that is known to fit into memory. */
  async read(id: string): Promise<Buffer> {
    return readWhole(this.#parts.blobs, await this.#requireBlob(id))
  }

  /**
   * Stores a file. 413 beyond the limits, 507 if the disk is full. A file whose text cannot be
   * extracted ends as `failed`; it is not refused.
   */
  async create(
    ownerId: string,
    { content, ...about }: NewFile,
    { process, background }: ProcessOptions,
  ): Promise<FileEntry> {
    const parts = this.#parts
    const bytes = await collectBytes(content, () => parts.blobs.newTemporaryFile())
    const id = await storeFile(parts, ownerId, bytes, { ...about, process })
    return toEntry(await follow(parts, id, !background))
  }

  /** Replaces the text and embeds it again; resolves when that has ended, successfully or not. */
  updateContent(id: string, text: string): Promise<void> {
    return replaceText(this.#parts, id, text)
  }

  /** Extracts and embeds again; resolves when that has ended. */
  async process(id: string): Promise<FileEntry> {
    return toEntry(await readAgain(this.#parts, id))
  }

  /** Deletes a file; its bytes are deleted with the owner's last file that has them. */
  remove(id: string): Promise<void> {
    return removeFile(this.#parts, id)
  }

  /** Deletes the files of all users; other requests are served meanwhile. */
  removeAll(): Promise<void> {
    return removeAllFiles(this.#parts)
  }

  async rename(id: string, filename: string): Promise<FileEntry> {
    return toEntry(await renameFile(this.#parts, id, filename))
  }

  /** Registers a listener for files that were completed or failed. */
  onProcessed(listener: (file: FileEntry) => Promise<void>): void {
    this.#processedListeners.push(listener)
  }

  /** Registers a listener for deleted files, however they were deleted. */
  onRemoved(listener: (fileId: string) => Promise<void>): void {
    this.#removalListeners.push(listener)
  }

  /** Adds a further rule that lets a user read a file. Registered by domains built later. */
  addReadRule(rule: ReadRule): void {
    this.#readRules.push(rule)
  }

  /**
   * Returns an image a user may read as a `data:` URL for vision models. Takes an id or the URL of
   * its content; null if it is neither, not an image, or not readable for the user.
   */
  toDataUrl(userId: string, reference: string): Promise<string | null> {
    const { access, blobs } = this.#parts
    return toDataUrl(reference, (id) => access.findReadable(userId, id), blobs)
  }

  /**
   * Deletes files that are no longer used, if an administrator set after how many days
   * (`FILE_RETENTION_DAYS`). Runs at most once a day.
   */
  async keepUp(): Promise<void> {
    const { settings, log } = this.#dependencies
    const days = settings.get('FILE_RETENTION_DAYS')
    if (days === 0 || Date.now() < this.#nextSweep) return
    this.#nextSweep = Date.now() + SWEEP_MILLISECONDS
    const { removed } = await this.#parts.unused.remove(days)
    if (removed > 0) log.info({ removed, days }, 'unused files were deleted')
  }

  /**
   * Resumes the work the previous process left: unfinished files, and bytes and passages of deleted
   * ones. Called once the gateway accepts requests.
   */
  async resume(): Promise<void> {
    try {
      await this.#takeUp()
    } catch (error) {
      this.#dependencies.log.error(
        { error },
        'files left by the previous process could not be resumed',
      )
    }
  }

  /** Number of files still to be read by any gateway, and of those being read here. */
  async unread(): Promise<{ left: number; running: number }> {
    const { jobs, queue } = this.#parts
    return { left: await jobs.count(), running: queue.running }
  }

  /** Stops the queue; unfinished work continues at the next start. */
  async close(): Promise<void> {
    const { streams, others, queue, leftovers, blobs } = this.#parts
    for (const end of streams) end()
    others?.close()
    await queue.close()
    await leftovers.close()
    blobs.close?.()
  }

  async #requireBlob(id: string): Promise<Blob> {
    const row = await this.#parts.store.get(id)
    if (!row) throw missing()
    return blobOf(row)
  }

  /** Resumes files whose jobs were interrupted by a crash, and cleans up after it. */
  async #takeUp(): Promise<void> {
    const { blobs, jobs, others, queue, leftovers, texts } = this.#parts
    // Files that other gateways are writing look like remains of a crash.
    const isAlone = this.#dependencies.live?.replicas.isAlone ?? true
    if (isAlone) await Promise.all([blobs.tidy(), jobs.restore()])
    await others?.open()
    for (const id of await jobs.giveUp(MOST_ATTEMPTS, GAVE_UP, nowSeconds()))
      this.#dependencies.log.warn({ file: id }, 'processing of a file was abandoned')
    await queue.start()
    await leftovers.clear()
    leftovers.watch()
    if (isAlone) await texts.tidy()
  }
}

async function tellAll<Subject>(
  listeners: readonly ((subject: Subject) => Promise<void>)[],
  subject: Subject,
): Promise<void> {
  for (const listener of listeners) await listener(subject)
}
