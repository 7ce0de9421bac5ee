import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checkPlainJson } from '../lib/check-plain-json.ts'
import { conflict, unauthorized } from '../lib/errors.ts'
import { newId, nowSeconds } from '../lib/ids.ts'
import type { Blobs } from '../storage/blobs.ts'
import type { Storage } from '../storage/index.ts'
import { cleanFilename, toNameKey } from './clean-filename.ts'
import { findContentType, kindOf } from './content-type.ts'
import type { NewFile } from './index.ts'
import type { Limits } from './limits.ts'
import type { FileStore } from './store.ts'

/** Bytes on the disk with what is known of them. */
export interface StoredBytes {
  readonly path: string
  readonly hash: string
  readonly size: number
}

export interface CreateFile {
  /**
   * Stores a file whose bytes are in a temporary file, which is gone afterwards either way; answers
   * its id.
   */
  (
    ownerId: string,
    bytes: StoredBytes,
    about: Omit<NewFile, 'content'> & { process: boolean },
  ): Promise<string>
}

/** What is hashed and written at once of bytes that are in memory already. */
const PIECE_BYTES = 256 * 1024

function* cutIntoPieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

/**
 * Puts the bytes of a file into a temporary file unless they are in one, and reads them once for
 * their hash.
 */
export async function collectBytes(
  content: NewFile['content'],
  newTemporaryFile: () => string,
): Promise<StoredBytes> {
  const hash = createHash('sha256')
  let size = 0
  async function* meter(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const bytes of source) {
      hash.update(bytes)
      size += bytes.length
      yield bytes
    }
  }
  const path = newTemporaryFile()
  const source =
    'path' in content ? createReadStream(content.path) : Readable.from(cutIntoPieces(content.bytes))
  try {
    await pipeline(
      source,
      meter,
      createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
    )
    if ('path' in content) await rm(content.path, { force: true })
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
  return { path, hash: hash.digest('hex'), size }
}

/** Pictures have no text to be read: models look at them. */
function firstState(kind: string, isProcessed: boolean) {
  if (!isProcessed) return { status: null, job: null }
  return kind === 'image'
    ? { status: 'completed' as const, job: null }
    : { status: 'pending' as const, job: 'extract' as const }
}

export function createCreateFile(options: {
  readonly storage: Storage
  readonly store: FileStore
  readonly blobs: Blobs
  readonly limits: Limits
  readonly hasAccount: (userId: string) => boolean
}): CreateFile {
  const { storage, store, blobs, limits, hasAccount } = options

  /** The same bytes of one person are kept once. */
  function useBlob(ownerId: string, blobId: string, { hash, size }: StoredBytes): string {
    const known = store.findBlob(ownerId, hash)
    if (known !== null) return known
    limits.checkQuota(store.usage(ownerId).bytes, size)
    store.insertBlob({ id: blobId, user_id: ownerId, hash, size, created_at: nowSeconds() })
    return blobId
  }

  async function insert(
    ownerId: string,
    bytes: StoredBytes,
    about: Parameters<CreateFile>[2],
  ): Promise<string> {
    const filename = cleanFilename(about.filename)
    const metadata = about.metadata ?? {}
    checkPlainJson(metadata, 'The metadata of the file')
    const contentType = await findContentType(bytes.path, filename, about.contentType)
    const kind = kindOf(contentType)
    const id = about.id ?? newId()
    if (about.id !== undefined && store.get(id))
      throw conflict('There is a file with this id already.')
    const now = nowSeconds()
    const blobId = await blobs.prepare(bytes.path)
    storage.transaction(() => {
      // Uploads take their time, and accounts can go meanwhile.
      if (!hasAccount(ownerId)) throw unauthorized('This account is not there any more.')
      const used = useBlob(ownerId, blobId, bytes)
      store.insert({
        id,
        user_id: ownerId,
        blob_id: used,
        filename,
        name_key: toNameKey(filename),
        content_type: contentType,
        kind,
        metadata: JSON.stringify(metadata),
        ...firstState(kind, about.process),
        created_at: now,
        updated_at: now,
      })
    })
    if (!store.hasBlob(blobId)) return id
    try {
      blobs.keep(blobId)
    } catch (error) {
      store.remove(id)
      throw error
    }
    return id
  }

  return async (ownerId, bytes, about) => {
    try {
      return await insert(ownerId, bytes, about)
    } finally {
      await rm(bytes.path, { force: true })
    }
  }
}
