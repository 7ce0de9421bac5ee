import { createReadStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Blob, BlobReading, Blobs, NewBytes } from './blobs.ts'

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders and syncs them itself.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const missing = (cause?: unknown) =>
  notFound(
    'The bytes of this file are missing in the data folder. Delete the file and upload it again.',
    { cause },
  )

const USUAL_PIECE_BYTES = 64 * 1024

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

const makeFolder = (folder: string): string | undefined =>
  mkdirSync(folder, { recursive: true, mode: 0o700 })

/** Returns the path of bytes in the folder. Subfolders by the first letters keep folders small. */
export const blobPath = (folder: string, id: string): string =>
  path.join(folder, id.slice(0, 2), id)

/**
 * Bytes in `uploads` of the data folder. They stay under their id in `temporary` until their row is
 * written and are only then moved to their place. Moved bytes are never deleted because a row is
 * missing: the database may be an older copy or a new one.
 */
export class FolderBlobs implements Blobs {
  readonly removedAtOnce = 8
  readonly #folder: string
  readonly #temporaryFolder: string
  readonly #isKnown: (id: string) => Promise<boolean>
  /** Only the files present now: a later file is still being uploaded. */
  readonly #leftovers: readonly string[]

  /** `isKnown` returns true if there is a row for a file that a former process left. */
  constructor(folder: string, isKnown: (id: string) => Promise<boolean>) {
    this.#folder = folder
    this.#temporaryFolder = path.join(folder, 'temporary')
    this.#isKnown = isKnown
    this.#leftovers = namesIn(this.#temporaryFolder)
  }

  async tidy(): Promise<void> {
    for (const id of this.#leftovers) {
      if ((await this.#isKnown(id)) && !existsSync(this.#place(id))) this.keep(id)
      else rmSync(this.#temporary(id), { recursive: true, force: true })
    }
  }

  newTemporaryFile(): string {
    makeFolder(this.#temporaryFolder)
    return this.#temporary(newId())
  }

  /** Makes sure the temporary file survives a power failure. */
  async prepare({ path: temporaryFile }: NewBytes): Promise<string> {
    await syncFolder(this.#temporaryFolder)
    return path.basename(temporaryFile)
  }

  /** They are never abandoned while this process runs. */
  async claim(): Promise<void> {
    // The temporary file is there until the caller deletes it.
  }

  keep(id: string): void {
    makeFolder(path.dirname(this.#place(id)))
    renameSync(this.#temporary(id), this.#place(id))
  }

  async discard(): Promise<void> {
    // Only the temporary file of the caller exists.
  }

  async require({ id, size }: Blob): Promise<void> {
    const found = await stat(this.#place(id)).catch(() => null)
    if (found?.size !== size) throw missing()
  }

  async open(
    blob: Blob,
    { signal, range, pieceBytes = USUAL_PIECE_BYTES }: BlobReading = {},
  ): Promise<Readable> {
    await this.require(blob)
    const options = { highWaterMark: pieceBytes, ...(signal && { signal }), ...range }
    return createReadStream(this.#place(blob.id), options)
  }

  async head({ id }: Blob, bytes: number): Promise<Buffer> {
    const handle = await open(this.#place(id), 'r').catch((error: unknown) => {
      throw missing(error)
    })
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  }

  lend<Result>(
    { id }: Blob,
    _signal: AbortSignal,
    use: (path: string) => Promise<Result>,
  ): Promise<Result> {
    return use(this.#place(id))
  }

  async remove(id: string): Promise<void> {
    await rm(this.#place(id), { force: true })
  }

  #place(id: string): string {
    return blobPath(this.#folder, id)
  }

  #temporary(id: string): string {
    return path.join(this.#temporaryFolder, id)
  }
}
