import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { tooLarge } from '../../lib/errors.ts'

interface SavedUpload {
  readonly file: string
  /** Without effect once the file was taken elsewhere. */
  remove(): Promise<void>
}

/** Writes what is sent into a file of its own; nothing is left behind when that fails. */
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
