import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { tooLarge } from '../../lib/errors.ts'

/** A file to be sent to a runtime. */
export interface SavedFile {
  readonly path: string
  readonly bytes: number
  /** `sha256:` and the hash of the content, under which runtimes store files. */
  readonly digest: string
  remove(): Promise<void>
}

export interface SaveOptions {
  readonly folder: string
  readonly limit: number
  readonly signal: AbortSignal
  readonly onProgress: (bytes: number) => void
}

/**
 * Writes a stream into a separate file and hashes it on the way; leaves nothing behind on failure.
 */
export async function saveFile(
  source: AsyncIterable<Buffer>,
  { folder, limit, signal, onProgress }: SaveOptions,
): Promise<SavedFile> {
  await mkdir(folder, { recursive: true })
  const target = path.join(folder, `${randomUUID()}.model`)
  const remove = (): Promise<void> => rm(target, { force: true })
  const hash = createHash('sha256')
  let bytes = 0
  async function* measured(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > limit) throw tooLarge(`The file is larger than ${limit} bytes.`)
      hash.update(chunk)
      onProgress(bytes)
      yield chunk
    }
  }
  try {
    await pipeline(measured(), createWriteStream(target, { mode: 0o600, flags: 'wx' }), { signal })
  } catch (error) {
    await remove()
    throw error
  }
  return { path: target, bytes, digest: `sha256:${hash.digest('hex')}`, remove }
}
