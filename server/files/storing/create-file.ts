import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { checkPlainJson } from '../../lib/json/check-plain-json.ts'
import { bitmapType } from '../../lib/images/data-image.ts'
import { conflict, unauthorized } from '../../lib/errors.ts'
import { newId, nowSeconds } from '../../lib/ids.ts'
import type { FileParts } from '../file-parts.ts'
import { cleanFilename, toNameKey } from './clean-filename.ts'
import { findContentType, kindOf } from './content-type.ts'
import type { NewFile } from '../file-entry.ts'

/** Bytes on the disk and their metadata. */
export interface StoredBytes {
  readonly path: string
  readonly hash: string
  readonly size: number
  /** The first bytes, if the content was in memory. */
  readonly head?: Buffer
}

const HEAD_BYTES = 4096

/** Properties of a file whose bytes are stored. */
type StoredFile = Omit<NewFile, 'content'> & { readonly process: boolean }

/** From this size on, bytes are hashed in another thread, which costs a copy of them. */
const LARGE_BYTES = 256 * 1024

async function hashOf(bytes: Uint8Array): Promise<string> {
  if (bytes.length < LARGE_BYTES) return createHash('sha256').update(bytes).digest('hex')
  // None of this is shared memory, which would be refused.
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return Buffer.from(digest).toString('hex')
}

async function writeFlushed(bytes: Uint8Array, path: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at)).bytesWritten
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function copyFile(from: string, path: string): Promise<{ hash: string; size: number }> {
  const hash = createHash('sha256')
  let size = 0
  async function* meter(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const bytes of source) {
      hash.update(bytes)
      size += bytes.length
      yield bytes
    }
  }
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(createReadStream(from), meter, target)
  await rm(from, { force: true })
  return { hash: hash.digest('hex'), size }
}

/**
 * Writes the bytes of a file into a separate temporary file, and reads them once for their hash.
 */
export async function collectBytes(
  content: NewFile['content'],
  newTemporaryFile: () => string,
): Promise<StoredBytes> {
  const path = newTemporaryFile()
  try {
    if ('path' in content) return { path, ...(await copyFile(content.path, path)) }
    const { bytes } = content
    // Waits for both, so that nothing is written to a file that has been removed.
    const [hash, written] = await Promise.allSettled([hashOf(bytes), writeFlushed(bytes, path)])
    if (written.status === 'rejected') throw written.reason
    if (hash.status === 'rejected') throw hash.reason
    const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES))
    return { path, hash: hash.value, size: bytes.length, head }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/** Images have no text to extract: models view them. */
function firstState(kind: string, isProcessed: boolean) {
  if (!isProcessed) return { status: null, job: null }
  return kind === 'image'
    ? { status: 'completed' as const, job: null }
    : { status: 'pending' as const, job: 'extract' as const }
}

/** Moves bytes to permanent storage once `write` has stored a row for them. */
async function place(
  { blobs, store }: FileParts,
  id: string,
  bytes: StoredBytes,
  write: (blobId: string) => Promise<boolean>,
): Promise<void> {
  const blobId = await blobs.prepare(bytes)
  let isUsed = false
  try {
    isUsed = await write(blobId)
  } finally {
    if (!isUsed) await blobs.discard(blobId)
  }
  if (!isUsed || !(await store.hasBlob(blobId))) return
  try {
    blobs.keep(blobId)
  } catch (error) {
    await store.remove(id)
    throw error
  }
}

/** Identical bytes of one user are stored once. */
async function useBlob(
  { store, limits, blobs }: FileParts,
  ownerId: string,
  blobId: string,
  { hash, size }: StoredBytes,
): Promise<string> {
  const known = await store.findBlob(ownerId, hash)
  if (known !== null) return known
  limits.checkQuota((await store.usage(ownerId)).bytes, size)
  await blobs.claim(blobId)
  await store.insertBlob({ id: blobId, user_id: ownerId, hash, size, created_at: nowSeconds() })
  return blobId
}

async function insert(
  parts: FileParts,
  ownerId: string,
  bytes: StoredBytes,
  about: StoredFile,
): Promise<string> {
  const { storage, store, users } = parts
  const filename = cleanFilename(about.filename)
  const metadata = about.metadata ?? {}
  checkPlainJson(metadata, 'The metadata of the file')
  // A type already detected as an image is not detected again.
  const isPicture = bytes.head !== undefined && bitmapType(bytes.head) === about.contentType
  const contentType =
    isPicture && about.contentType !== null
      ? about.contentType
      : await findContentType(bytes.path, filename, about.contentType)
  const kind = kindOf(contentType)
  const id = about.id ?? newId()
  if (about.id !== undefined && (await store.get(id)))
    throw conflict('There is a file with this id already.')
  const now = nowSeconds()
  await place(parts, id, bytes, (blobId) =>
    storage.transaction(async () => {
      // Uploads take time, and the account may be deleted meanwhile.
      if (!(await users.get(ownerId))) throw unauthorized('This account no longer exists.')
      const used = await useBlob(parts, ownerId, blobId, bytes)
      await store.insert({
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
      await about.along?.(id)
      return used === blobId
    }),
  )
  return id
}

/**
 * Stores a file whose bytes are in a temporary file, which is removed in any case; resolves with
 * its id.
 */
export async function storeFile(
  parts: FileParts,
  ownerId: string,
  bytes: StoredBytes,
  about: StoredFile,
): Promise<string> {
  try {
    return await insert(parts, ownerId, bytes, about)
  } finally {
    await rm(bytes.path, { force: true })
  }
}
