import type { FileStatus, FileUses } from '#contract/files.ts'
import type { Events } from '../events/index.ts'
import type { Caller, Route } from '../lib/http.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import type { ExtractedDocument, Extraction, Retrieval } from '../retrieval/index.ts'
import type { FilesSettings } from './files-settings.ts'
import type { Storage } from '../storage/index.ts'
import type { Users } from '../users/index.ts'
import { createChanges, follow } from './change-files.ts'
import { collectBytes } from './create-file.ts'
import { createFileParts } from './file-parts.ts'
import { parseFacts } from './process-file.ts'
import { GAVE_UP, MOST_ATTEMPTS } from './queue.ts'
import { missing } from './read-access.ts'
import { createFileRoutes } from './routes.ts'
import { toDataUrl } from './to-data-url.ts'
import { toEntry } from './to-entry.ts'

/** A file as other domains see it. Times are unix seconds, `size` counts bytes. */
export interface FileEntry {
  readonly id: string
  readonly user_id: string
  /** SHA-256 of the bytes. */
  readonly hash: string
  readonly filename: string
  readonly meta: {
    readonly name: string
    /** Found out from the bytes, not believed from the upload. */
    readonly content_type: string
    readonly size: number
    /** SHA-256 of the bytes. */
    readonly file_hash: string
    /** What the uploader sent as `metadata`. */
    readonly data: Record<string, unknown>
    /** `file-<id>` once passages of it can be found, else null: pictures have none. */
    readonly collection_name: string | null
  }
  /** `pending` also when nobody asked for it to be processed. */
  readonly status: FileStatus
  /** False for one that stays `pending` until somebody asks for it to be processed. */
  readonly isAsked: boolean
  /** Why it failed, in a sentence for people. */
  readonly error: string | null
  readonly created_at: number
  readonly updated_at: number
}

/** What is stored: bytes in memory, or a file of the data folder, which is moved. */
export interface NewFile {
  /** Chosen by whoever makes it; a new one otherwise. 409 when a file has it already. */
  readonly id?: string
  readonly filename: string
  /** Believed only where it tells one kind of text from another and the name does not. */
  readonly contentType: string | null
  readonly content: { readonly path: string } | { readonly bytes: Uint8Array }
  readonly metadata?: Record<string, unknown>
  /** Writes what belongs to the file in the same transaction, so that neither is there alone. */
  readonly along?: (id: string) => void
}

/** Whether a file is read and embedded, and whether that is waited for. */
export interface ProcessOptions {
  readonly process: boolean
  readonly background: boolean
}

/**
 * Uploaded files: stored bytes, their text, and the queue that reads and embeds
 * them.
 */
export interface Files {
  /** Null unless the person owns it, is an administrator, or may read it by a rule. */
  get(userId: string, id: string): FileEntry | null
  /** Without a check of access, for jobs. */
  find(id: string): FileEntry | null
  /** Text and pages; null until there are some. Whole texts may be long: see `textLength`. */
  content(id: string): ExtractedDocument | null
  /** Length of the text in UTF-16 units without reading it; null until there is one. */
  textLength(id: string): number | null
  /** Of the stored bytes, for reading only. 404 when there is no such file. */
  path(id: string): string
  /**
   * Stores a file. 413 beyond the limits, 507 when the disk is full. A file that cannot be read as
   * text ends `failed`, it is not refused.
   */
  create(ownerId: string, file: NewFile, options: ProcessOptions): Promise<FileEntry>
  /** Replaces the text and embeds it again; settles when that has ended, however it ended. */
  updateContent(id: string, text: string): Promise<void>
  /** Reads and embeds once more; settles when that has ended. */
  process(id: string): Promise<FileEntry>
  /** Deletes a file; its bytes go with the last file of the owner that has them. */
  remove(id: string): void
  /** Deletes the files of everybody, others being served meanwhile. */
  removeAll(): Promise<void>
  rename(id: string, filename: string): FileEntry
  /** Called when a file is completed or failed. */
  onProcessed(listener: (file: FileEntry) => void): void
  /** Called when a file was deleted, in whatever way. */
  onRemoved(listener: (fileId: string) => void): void
  /**
   * A further way a person may read a file, such as a collection that is shared with them.
   * Registered by later domains.
   */
  addReadRule(rule: (userId: string, fileId: string) => boolean): void
  /**
   * A picture a person may read as a `data:` address for models that see. Takes an id or the
   * address of its content; null when it is none of these, no picture, or not readable for them.
   */
  toDataUrl(userId: string, reference: string): Promise<string | null>
  readonly routes: readonly Route[]
  /**
   * Deletes what nothing uses any more, where an administrator set after how many days
   * (`FILE_RETENTION_DAYS`). At most once a day.
   */
  keepUp(): Promise<void>
  /**
   * Takes up what the last run left: unfinished files, bytes and passages of deleted ones. Called
   * once the gateway serves.
   */
  resume(): void
  /** Stops the queue; what is unfinished goes on at the next start. */
  close(): Promise<void>
}

/** What the domain is built from. */
export interface FilesDependencies {
  readonly storage: Storage
  readonly settings: FilesSettings
  readonly users: Pick<Users, 'get' | 'onSessionsRevoked'>
  readonly events: Pick<Events, 'emit'>
  readonly extraction: Pick<Extraction, 'extract' | 'canExtract'>
  readonly retrieval: Pick<Retrieval, 'index' | 'forget' | 'forgetAll' | 'collections'>
  /** What uses a file, told by the domains that may use one. */
  readonly uses: (caller: Caller, file: Pick<FileEntry, 'id' | 'user_id'>) => Promise<FileUses>
  readonly dataDir: string
  readonly log: Logger
}

const SWEEP_MILLISECONDS = 24 * 60 * 60 * 1000

/** Builds the domain on the tables of `0015-files` and the folder `uploads`. */
export function createFiles(dependencies: FilesDependencies): Files {
  const { users, log, settings } = dependencies
  let nextSweep = 0
  const parts = createFileParts(dependencies)
  const { store, jobs, blobs, texts, queue, leftovers, access, storeFile } = parts

  users.onSessionsRevoked((userId) => {
    if (users.get(userId)) return
    queue.cancelOf(userId)
    leftovers.clear()
  })

  /** Files whose jobs a crash took away, and what it left behind. */
  async function takeUp(): Promise<void> {
    jobs.restore()
    for (const id of jobs.giveUp(MOST_ATTEMPTS, GAVE_UP, nowSeconds()))
      log.warn({ file: id }, 'a file was given up')
    queue.start()
    leftovers.clear()
    await texts.tidy()
  }

  const files: Omit<Files, 'routes'> = {
    ...createChanges(parts),
    get(userId, id) {
      const row = store.get(id)
      return row && access.canRead(userId, row) ? toEntry(row) : null
    },
    find(id) {
      const row = store.get(id)
      return row ? toEntry(row) : null
    },
    content(id) {
      const row = store.get(id)
      if (!row || row.text_length === null) return null
      return { ...parseFacts(store.document(id)), text: texts.read(id, row.text_version) }
    },
    textLength: (id) => store.get(id)?.text_length ?? null,
    path(id) {
      const row = store.get(id)
      if (!row) throw missing()
      return parts.pathOf(row)
    },
    async create(ownerId, { content, ...about }, { process, background }) {
      const bytes = await collectBytes(content, () => blobs.newTemporaryFile())
      const id = await storeFile(ownerId, bytes, { ...about, process })
      return toEntry(await follow(parts, id, !background))
    },
    onProcessed: (listener) => void parts.processedListeners.push(listener),
    onRemoved: (listener) => void parts.removalListeners.push(listener),
    addReadRule: (rule) => access.addReadRule(rule),
    async toDataUrl(userId, reference) {
      return toDataUrl(reference, (id) => {
        const row = store.get(id)
        return row && access.canRead(userId, row) ? { row, path: parts.pathOf(row) } : null
      })
    },
    async keepUp() {
      const days = settings.get('FILE_RETENTION_DAYS')
      if (days === 0 || Date.now() < nextSweep) return
      nextSweep = Date.now() + SWEEP_MILLISECONDS
      const { removed } = await parts.unused.remove(days)
      if (removed > 0) log.info({ removed, days }, 'files nothing uses were deleted')
    },
    resume() {
      takeUp().catch((error: unknown) =>
        log.error({ error }, 'files of the last run could not be taken up'),
      )
    },
    async close() {
      for (const end of parts.streams) end()
      await queue.close()
      await leftovers.settled()
    },
  }
  return { ...files, routes: createFileRoutes(files, parts) }
}
