import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { badRequest, conflict, diskFull, tooLarge } from '../../lib/errors.ts'

const LARGEST = 64 * 1024 ** 3
/** Room that is left to everything else on the disk. */
const KEPT_FREE = 256 * 1024 ** 2
const MOST_BLOBS = 8
/** What nobody made a model of by then is deleted. */
const KEPT_MILLISECONDS = 24 * 3_600_000
const DIGEST = /^sha256:([\da-f]{64})$/

interface Sent {
  readonly digest: string
  readonly source: AsyncIterable<Buffer>
  /** What was announced; null when nothing was. */
  readonly length: number | null
  readonly signal: AbortSignal
}

/** Files that were sent to have a model made of them, named by their hash until then. */
export class Blobs {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The file of a hash; null when it was not sent, or was made a model of. */
  async find(digest: string): Promise<string | null> {
    const file = this.#toFile(digest)
    const found = await stat(file).catch(() => null)
    return found?.isFile() ? file : null
  }

  /** Keeps what is sent if its bytes have the hash; nothing is left of it otherwise. */
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

  /** What a gateway that ended left behind, and what nobody used. */
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
