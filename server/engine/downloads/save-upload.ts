import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { tooLarge } from '../../lib/errors.ts'

interface SavedUpload {
  readonly file: string
  /** Has no effect once the file was moved elsewhere. */
  remove(): Promise<void>
}

/** Writes an upload into a separate file; leaves nothing behind on failure. */
export async function saveUpload(
  source: AsyncIterable<Buffer>,
  { folder, limit, signal }: { folder: string; limit: number; signal: AbortSignal },
): Promise<SavedUpload> {
  await mkdir(folder, { recursive: true })
  const file = path.join(folder, `${randomUUID()}.upload`)
  const remove = (): Promise<void> => rm(file, { force: true })
  let bytes = 0
  async function* measured(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > limit) throw tooLarge(`The file is larger than ${limit} bytes.`)
      yield chunk
    }
  }
  try {
    await pipeline(measured(), createWriteStream(file, { mode: 0o600, flags: 'wx' }), { signal })
  } catch (error) {
    await remove()
    throw error
  }
  return { file, remove }
}
