import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { badRequest, conflict, diskFull, tooLarge } from '../../lib/errors.ts'

const LARGEST = 64 * 1024 ** 3
/** Disk space left free for everything else. */
const KEPT_FREE = 256 * 1024 ** 2
const MOST_BLOBS = 8
/** Files not made into a model within this time are deleted. */
const KEPT_MILLISECONDS = 24 * 3_600_000
const DIGEST = /^sha256:([\da-f]{64})$/

interface Sent {
  readonly digest: string
  readonly source: AsyncIterable<Buffer>
  /** The announced length; null if none was announced. */
  readonly length: number | null
  readonly signal: AbortSignal
}

/** Uploaded files from which a model is to be created, named by their hash until then. */
export class Blobs {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Returns the file with a hash; null if it was not uploaded, or was already made into a model.
   */
  async find(digest: string): Promise<string | null> {
    const file = this.#toFile(digest)
    const found = await stat(file).catch(() => null)
    return found?.isFile() ? file : null
  }

  /** Stores an upload if its bytes have the hash; otherwise removes it completely. */
  async keep({ digest, source, length, signal }: Sent): Promise<void> {
    const target = this.#toFile(digest)
    await this.#makeRoom(length)
    const file = path.join(this.#folder, `${randomUUID()}.part`)
    const hash = createHash('sha256')
    let bytes = 0
    async function* measured(): AsyncGenerator<Buffer> {
      for await (const chunk of source) {
        bytes += chunk.length
        if (bytes > LARGEST) throw tooLarge(`The file is larger than ${LARGEST} bytes.`)
        hash.update(chunk)
        yield chunk
      }
    }
    try {
      await pipeline(measured(), createWriteStream(file, { mode: 0o600, flags: 'wx' }), { signal })
      if (`sha256:${hash.digest('hex')}` !== digest)
        throw badRequest(
          'The bytes that came do not have the hash of the address. Send them again.',
          {
            code: 'wrong_digest',
          },
        )
      await rename(file, target)
    } catch (error) {
      await rm(file, { force: true })
      throw error
    }
  }

  /** Deletes files left behind by a previous process and unused ones. */
  async #makeRoom(length: number | null): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    const now = Date.now()
    let kept = 0
    for (const name of await readdir(this.#folder)) {
      const file = path.join(this.#folder, name)
      const found = await stat(file).catch(() => null)
      if (found && now - found.mtimeMs > KEPT_MILLISECONDS) await rm(file, { force: true })
      else if (found) kept += 1
    }
    if (kept >= MOST_BLOBS)
      throw conflict('Too many files wait to be made models of. Make models of them first.', {
        code: 'too_many_blobs',
      })
    const { bavail, bsize } = await statfs(this.#folder)
    const free = bavail * bsize
    if ((length ?? 0) + KEPT_FREE > free)
      throw diskFull('There is not enough room on the disk for this file.')
  }

  #toFile(digest: string): string {
    const hash = DIGEST.exec(digest)?.[1]
    if (hash === undefined) throw badRequest('A hash is sha256: and 64 digits.')
    return path.join(this.#folder, `sha256-${hash}`)
  }
}
