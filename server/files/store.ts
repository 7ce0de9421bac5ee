import { sql } from 'kysely'
import type { FileKind, FileStatus } from '#contract/files.ts'
import { among } from '../storage/among.ts'
import type { Blob } from '../storage/blobs/blobs.ts'
import type { Storage } from '../storage/index.ts'
import { isLike } from '../storage/is-like.ts'
import type { BlobTable, FileTable } from '../storage/tables/files.ts'

/** A file with the size and hash of its bytes. */
export type FileRow = Omit<FileTable, 'name_key' | 'document' | 'seq' | 'reader'> &
  Pick<BlobTable, 'hash' | 'size'> & { seq: number }

/** The bytes of a file. */
export const blobOf = ({ blob_id: id, size, hash }: FileRow): Blob => ({ id, size, hash })

/** Columns written for a new file. */
export type NewFileRow = Omit<
  FileTable,
  'seq' | 'attempts' | 'reader' | 'text_version' | 'document' | 'text_length' | 'error'
>

export type FileChanges = Partial<
  Pick<
    FileTable,
    | 'filename'
    | 'name_key'
    | 'status'
    | 'job'
    | 'attempts'
    | 'error'
    | 'document'
    | 'text_version'
    | 'text_length'
    | 'updated_at'
  >
> & { readonly reader?: string | null }

/** Criteria for listing files. Null omits a criterion. */
export interface FileFilter {
  readonly userId: string | null
  /** A `like` pattern with `\` before literal characters. */
  readonly namePattern: string | null
  readonly status: FileStatus | null
  readonly kind: FileKind | null
}

export interface FileOrder {
  readonly by: 'created_at' | 'updated_at' | 'filename' | 'size'
  readonly direction: 'asc' | 'desc'
  readonly offset: number
  readonly limit: number
}

const COLUMNS = [
  'file.seq',
  'file.id',
  'file.user_id',
  'file.blob_id',
  'file.filename',
  'file.content_type',
  'file.kind',
  'file.metadata',
  'file.status',
  'file.job',
  'file.attempts',
  'file.error',
  'file.text_version',
  'file.text_length',
  'file.created_at',
  'file.updated_at',
  'blob.hash',
  'blob.size',
] as const

const ORDER_COLUMNS = {
  created_at: 'file.created_at',
  updated_at: 'file.updated_at',
  filename: 'file.name_key',
  size: 'blob.size',
} as const

/**
 * False for deleted files, also those deleted with an account or with all files, whose rows are
 * still being removed.
 */
const IS_THERE = sql<boolean>`not exists (select 1 from deletion where (kind = 'account' and subject = file.user_id)
  or (kind = 'files' and file.seq <= cast(subject as bigint)) or (kind = 'file' and subject = file.id))`

/** SQL on the tables `file` and `blob`. */
export class FileStore {
  readonly #storage: Storage
  readonly #builder

  constructor(storage: Storage) {
    this.#storage = storage
    this.#builder = storage.builder
  }

  async get(id: string): Promise<FileRow | null> {
    return (await this.#storage.get(this.#all().select(COLUMNS).where('file.id', '=', id))) ?? null
  }

  /** Sizes of the parts of files that uploaders choose, in bytes; deleted ones have none. */
  async sizes(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#storage.all(
      this.#builder
        .selectFrom('file')
        .select(['id', sql<number>`octet_length(metadata)`.as('bytes')])
        .where('id', 'in', among(ids)),
    )
    return new Map(rows.map(({ id, bytes }) => [id, bytes]))
  }

  /** In any order; those deleted meanwhile are missing. */
  several(ids: readonly string[]): Promise<FileRow[]> {
    return this.#storage.all(this.#all().select(COLUMNS).where('file.id', 'in', among(ids)))
  }

  async document(id: string): Promise<string | null> {
    return (
      (
        await this.#storage.get(
          this.#builder.selectFrom('file').select('document').where('id', '=', id),
        )
      )?.document ?? null
    )
  }

  list(filter: FileFilter, { by, direction, offset, limit }: FileOrder): Promise<FileRow[]> {
    return this.#storage.all(
      this.#select(filter)
        .select(COLUMNS)
        .orderBy(ORDER_COLUMNS[by], direction)
        .orderBy('file.seq', direction)
        .limit(limit)
        .offset(offset),
    )
  }

  count(filter: FileFilter): Promise<number> {
    return this.#storage.count(this.#select(filter))
  }

  async insert(row: NewFileRow): Promise<void> {
    await this.#storage.insert('file', { ...row, attempts: 0, text_version: 0 })
  }

  /**
   * Resolves with true unless the file is deleted or, if a `reader` is given, is processed by
   * another one.
   */
  async update(id: string, changes: FileChanges, reader?: string): Promise<boolean> {
    let update = this.#builder.updateTable('file').set(changes).where('id', '=', id)
    if (reader !== undefined) update = update.where('reader', '=', reader)
    return (await this.#storage.run(update)) > 0
  }

  /** Deletes a file; a long text is deleted in the background. */
  async remove(id: string): Promise<void> {
    await this.#storage.deletions.begin('file', id)
  }

  /** Files unchanged since a time, oldest first. */
  unchangedSince(time: number): Promise<{ id: string; size: number }[]> {
    return this.#storage.all(
      this.#all()
        .select(['file.id', 'blob.size'])
        .where('file.updated_at', '<=', time)
        .where('file.job', 'is', null)
        .orderBy('file.seq'),
    )
  }

  /**
   * Deletes the files of all users; they disappear at once. Resolves with the id of the deletion of
   * their rows.
   */
  removeAll(): Promise<number | null> {
    return this.#storage.transaction(async () => {
      const last = await this.#storage.get(
        this.#builder.selectFrom('file').select('seq').orderBy('seq', 'desc').limit(1),
      )
      return last ? await this.#storage.deletions.begin('files', String(last.seq)) : null
    })
  }

  async findBlob(userId: string, hash: string): Promise<string | null> {
    return (
      (
        await this.#storage.get(
          this.#builder
            .selectFrom('blob')
            .select('id')
            .where('user_id', '=', userId)
            .where('hash', '=', hash),
        )
      )?.id ?? null
    )
  }

  async hasBlob(id: string): Promise<boolean> {
    return (
      (await this.#storage.get(
        this.#builder.selectFrom('blob').select('id').where('id', '=', id),
      )) !== undefined
    )
  }

  async insertBlob(row: BlobTable): Promise<void> {
    await this.#storage.insert('blob', row)
  }

  /** Disk usage of a user's files. */
  async usage(userId: string): Promise<{ count: number; bytes: number }> {
    const own = this.#builder.selectFrom('file').where('file.user_id', '=', userId).where(IS_THERE)
    const count = await this.#storage.count(own)
    const { bytes } = (await this.#storage.get(
      this.#builder
        .selectFrom('blob')
        .select((each) => each.fn.sum<number | null>('size').as('bytes'))
        .where('user_id', '=', userId)
        .where('id', 'in', own.select('blob_id')),
    ))!
    return { count, bytes: bytes ?? 0 }
  }

  #all() {
    return this.#builder
      .selectFrom('file')
      .innerJoin('blob', 'blob.id', 'file.blob_id')
      .where(IS_THERE)
  }

  #select({ userId, namePattern, status, kind }: FileFilter) {
    let query = this.#all()
    if (userId !== null) query = query.where('file.user_id', '=', userId)
    if (namePattern !== null)
      query = query.where(isLike(this.#storage.dialect, ['file.name_key'], namePattern))
    if (status !== null) query = query.where('file.status', '=', status)
    if (kind !== null) query = query.where('file.kind', '=', kind)
    return query
  }
}

/** Jobs a gateway is processing, and its name if others may take jobs too. */
interface RunningJobs {
  readonly ids: Iterable<string>
  readonly users: Iterable<string>
  readonly reader?: string
}

/** SQL of the queue in the table `file`. */
export class JobStore {
  readonly #storage: Storage
  readonly #builder

  constructor(storage: Storage) {
    this.#storage = storage
    this.#builder = storage.builder
  }

  /** Returns the next job: first of users without running jobs, then the oldest. */
  async next({ reader, ...running }: RunningJobs): Promise<string | null> {
    const next = this.#builder
      .selectFrom('file')
      .select('id')
      .where('job', 'is not', null)
      .where(IS_THERE)
      .where('id', 'not in', this.#listed(running.ids))
      .orderBy(sql`user_id in ${this.#listed(running.users)}`)
      .orderBy('seq')
      .limit(1)
    if (reader === undefined) return (await this.#storage.get(next))?.id ?? null
    return this.#storage.transaction(async () => {
      // Gateways that query at the same time each get a different job.
      const free = next.where('reader', 'is', null).forUpdate().skipLocked()
      const id = (await this.#storage.get(free))?.id ?? null
      if (id !== null) await this.#storage.update('file', id, { reader })
      return id
    })
  }

  /** Releases the jobs of a gateway for others. */
  async freeOf(reader: string): Promise<void> {
    await this.#storage.update('file', { reader }, { reader: null })
  }

  /** Releases the jobs of all gateways except those present. */
  async freeAbandoned(present: Iterable<string>): Promise<void> {
    await this.#storage.run(
      this.#builder
        .updateTable('file')
        .set({ reader: null })
        .where('reader', 'is not', null)
        .where('reader', 'not in', this.#listed(present)),
    )
  }

  /** A pending file without a job was between two jobs when the gateway ended. */
  async restore(): Promise<void> {
    await this.#storage.run(
      this.#builder
        .updateTable('file')
        .set({ job: 'extract' })
        .where('status', '=', 'pending')
        .where('job', 'is', null),
    )
  }

  /** Files with waiting or running jobs. */
  busy(): Promise<{ id: string; user_id: string }[]> {
    return this.#storage.all(
      this.#builder
        .selectFrom('file')
        .select(['id', 'user_id'])
        .where('job', 'is not', null)
        .where(IS_THERE),
    )
  }

  /** Number of files with waiting or running jobs. */
  count(): Promise<number> {
    return this.#storage.count(
      this.#builder.selectFrom('file').where('job', 'is not', null).where(IS_THERE),
    )
  }

  /**
   * Ends jobs that were started this often without completing; resolves with the ids of their
   * files.
   */
  async giveUp(attempts: number, error: string, now: number): Promise<string[]> {
    const stuck = await this.#storage.all(
      this.#builder
        .selectFrom('file')
        .select('id')
        .where('job', 'is not', null)
        .where('reader', 'is', null)
        .where('attempts', '>=', attempts),
    )
    for (const { id } of stuck)
      await this.#storage.update('file', id, {
        status: 'failed',
        job: null,
        error,
        updated_at: now,
      })
    return stuck.map(({ id }) => id)
  }

  #listed(values: Iterable<string>) {
    return sql<string>`(select value from json_each(${JSON.stringify([...values])}))`
  }
}

/** SQL on the table `file_leftover`. */
export class LeftoverStore {
  readonly #storage: Storage
  readonly #builder

  constructor(storage: Storage) {
    this.#storage = storage
    this.#builder = storage.builder
  }

  async list(kind: 'blob' | 'document', limit: number): Promise<string[]> {
    return (
      await this.#storage.all(
        this.#builder
          .selectFrom('file_leftover')
          .select('id')
          .where('kind', '=', kind)
          .limit(limit),
      )
    ).map(({ id }) => id)
  }

  async forget(kind: 'blob' | 'document', ids: readonly string[]): Promise<void> {
    await this.#storage.transaction(async () => {
      for (const id of ids) await this.#storage.remove('file_leftover', { kind, id })
    })
  }
}
