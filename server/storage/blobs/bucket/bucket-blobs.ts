import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { unavailable } from '../../../lib/errors.ts'
import { newId, nowSeconds } from '../../../lib/ids.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { Blob, BlobReading, Blobs, NewBytes } from '../blobs.ts'
import type { Bucket } from './bucket.ts'
import { checkedBytes } from './checked-bytes.ts'
import { BucketFault, toServiceError } from './faults.ts'
import type { UploadMarks } from './upload-marks.ts'

const TOUCH_MILLISECONDS = 10_000
/** A gateway that was silent for this long is dead; if it only slept, its uploads are abandoned. */
const SILENT_SECONDS = 60

export interface BucketBlobsOptions {
  readonly bucket: Bucket
  readonly marks: UploadMarks
  /**
   * Folder where bytes are collected before they are sent, and of files for readers that need one.
   */
  readonly temporaryFolder: string
  /** True if other gateways write to the same database. */
  readonly isShared: boolean
  readonly log: Logger
}

/**
 * Bytes in a bucket, one private object for each upload. A bucket has no transactions, so an upload
 * is recorded before its first byte is sent, and the record is deleted in the transaction that
 * writes its row: there is no row without its object, and an object without a row can be found.
 */
export class BucketBlobs implements Blobs {
  readonly removedAtOnce = 32
  readonly #options: BucketBlobsOptions
  /** Only the files present now: a later file is still being uploaded. */
  readonly #leftovers: readonly string[]
  readonly #own = new Set<string>()
  #touching: NodeJS.Timeout | undefined

  constructor(options: BucketBlobsOptions) {
    this.#options = options
    const { temporaryFolder: folder } = options
    this.#leftovers = existsSync(folder) ? readdirSync(folder) : []
  }

  async tidy(): Promise<void> {
    const { temporaryFolder, isShared } = this.#options
    for (const name of this.#leftovers)
      rmSync(path.join(temporaryFolder, name), { recursive: true, force: true })
    await this.#giveUpSilent(isShared ? SILENT_SECONDS : -1)
  }

  /** Abandons the uploads of gateways that died. */
  sweep(): Promise<void> {
    return this.#giveUpSilent(SILENT_SECONDS)
  }

  newTemporaryFile(): string {
    const { temporaryFolder } = this.#options
    mkdirSync(temporaryFolder, { recursive: true, mode: 0o700 })
    return path.join(temporaryFolder, newId())
  }

  async prepare(bytes: NewBytes): Promise<string> {
    const { bucket, marks } = this.#options
    const id = path.basename(bytes.path)
    await marks.begin(id, nowSeconds())
    this.#own.add(id)
    this.#touching ??= setInterval(() => void this.#touch(), TOUCH_MILLISECONDS).unref()
    try {
      await bucket.put(id, bytes)
    } catch (error) {
      await this.discard(id)
      throw this.#told(error)
    }
    return id
  }

  async claim(id: string): Promise<void> {
    if (await this.#options.marks.take(id)) return
    throw unavailable('The upload took too long and was given up. Try again.', {
      code: 'store_unavailable',
      headers: { 'Retry-After': '10' },
    })
  }

  keep(id: string): void {
    this.#forget(id)
  }

  async discard(id: string): Promise<void> {
    this.#forget(id)
    await this.#options.marks.giveUp(id)
  }

  async require(blob: Blob): Promise<void> {
    try {
      const size = await this.#options.bucket.size(blob.id)
      if (size !== undefined && size !== blob.size)
        throw new BucketFault('other-bytes', 'OtherSize')
    } catch (error) {
      throw this.#told(error)
    }
  }

  async open(blob: Blob, { signal, range = null }: BlobReading = {}): Promise<Readable> {
    const length = range ? range.end - range.start + 1 : blob.size
    try {
      const found = await this.#options.bucket.get(blob.id, { signal, range })
      const isRight =
        (found.length === undefined || found.length === length) &&
        (!range || found.range === `bytes ${range.start}-${range.end}/${blob.size}`)
      if (!isRight) {
        found.body.destroy()
        throw new BucketFault('other-bytes', range ? 'OtherRange' : 'OtherSize')
      }
      const expected = { length, hash: range ? null : blob.hash }
      const bytes = Readable.from(checkedBytes(found.body, expected), { objectMode: false })
      // A generator that was never read does not close its source.
      bytes.once('close', () => found.body.destroy())
      return bytes
    } catch (error) {
      signal?.throwIfAborted()
      throw this.#told(error)
    }
  }

  async head(blob: Blob, bytes: number): Promise<Buffer> {
    const range = blob.size > bytes ? { start: 0, end: bytes - 1 } : null
    const pieces: Buffer[] = []
    for await (const piece of await this.open(blob, { range })) pieces.push(piece as Buffer)
    return Buffer.concat(pieces)
  }

  async lend<Result>(
    blob: Blob,
    signal: AbortSignal,
    use: (path: string) => Promise<Result>,
  ): Promise<Result> {
    const file = this.newTemporaryFile()
    try {
      const target = createWriteStream(file, { flags: 'wx', mode: 0o600 })
      await pipeline(await this.open(blob, { signal }), target, { signal })
      return await use(file)
    } finally {
      await rm(file, { force: true })
    }
  }

  async remove(id: string): Promise<void> {
    await this.#options.bucket.remove(id)
  }

  close(): void {
    clearInterval(this.#touching)
    this.#options.bucket.close()
  }

  #forget(id: string): void {
    this.#own.delete(id)
    if (this.#own.size > 0) return
    clearInterval(this.#touching)
    this.#touching = undefined
  }

  async #touch(): Promise<void> {
    try {
      await this.#options.marks.touch([...this.#own], nowSeconds())
    } catch (error) {
      this.#options.log.warn({ error }, 'the list of running uploads could not be restored')
    }
  }

  async #giveUpSilent(seconds: number): Promise<void> {
    const { marks } = this.#options
    for (const id of await marks.silentSince(nowSeconds() - seconds))
      if (!this.#own.has(id)) await marks.giveUp(id)
  }

  #told(error: unknown): Error {
    const told = toServiceError(error)
    if (told.status >= 500)
      this.#options.log.warn(
        { error: told.cause ?? told },
        'the bucket for files gave an unexpected response',
      )
    return told
  }
}
