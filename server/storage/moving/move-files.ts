import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync, renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { StartError } from '../../config/start-error.ts'
import type { Bucket } from '../blobs/bucket/bucket.ts'
import { BucketFault } from '../blobs/bucket/faults.ts'
import { blobPath } from '../blobs/folder-blobs.ts'
import type { DataSource } from './end.ts'

/** Number of moved uploads and their bytes. */
export interface MovedFiles {
  readonly files: number
  readonly bytes: number
}

interface FilesMove {
  readonly source: Pick<DataSource, 'query'>
  /** The folder of uploads on this computer. */
  readonly folder: string
  readonly bucket: Bucket
  readonly signal: AbortSignal
  readonly tell: (moved: MovedFiles) => void
}

interface MovedBlob {
  readonly id: string
  readonly size: number
  readonly hash: string
}

async function hashOf(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash, { signal })
  return hash.digest('hex')
}

const isAbsent = (error: unknown): boolean =>
  (error instanceof BucketFault && error.problem === 'no-such-object') ||
  (error instanceof Error && 'code' in error && error.code === 'ENOENT')

const lost = ({ id }: MovedBlob, reason: string): StartError =>
  new StartError(
    `The bytes of an upload ${reason} (${id}). Put them back from a backup, or delete the file in the gateway, and start the move again.`,
  )

async function toBucket({ folder, bucket, signal }: FilesMove, blob: MovedBlob): Promise<void> {
  // The store has already checked uploads of an earlier attempt against their hashes.
  const there = await bucket.size(blob.id).catch((error: unknown) => {
    if (isAbsent(error)) return undefined
    throw error
  })
  if (there === blob.size) return
  const file = blobPath(folder, blob.id)
  const found = await hashOf(file, signal).catch((error: unknown) => {
    throw isAbsent(error) ? lost(blob, 'are not in the folder of uploads') : error
  })
  if (found !== blob.hash) throw lost(blob, 'are not what was uploaded')
  await bucket.put(blob.id, { path: file, size: blob.size, hash: blob.hash })
}

async function toFolder({ folder, bucket, signal }: FilesMove, blob: MovedBlob): Promise<void> {
  const file = blobPath(folder, blob.id)
  if ((await hashOf(file, signal).catch(() => null)) === blob.hash) return
  const { body } = await bucket.get(blob.id, { signal }).catch((error: unknown) => {
    throw isAbsent(error) ? lost(blob, 'are not in the bucket') : error
  })
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const half = `${file}.moving`
  try {
    await pipeline(body, createWriteStream(half, { mode: 0o600 }), { signal })
    if ((await hashOf(half, signal)) !== blob.hash) throw lost(blob, 'are not what was uploaded')
    renameSync(half, file)
  } finally {
    await rm(half, { force: true })
  }
}

/**
 * Copies the bytes of all uploads between the folder and a bucket, each compared with its hash.
 * Existing ones are not copied again, so that an interrupted move can continue.
 */
export async function moveFiles(move: FilesMove, to: 'bucket' | 'folder'): Promise<MovedFiles> {
  let moved: MovedFiles = { files: 0, bytes: 0 }
  const copy = to === 'bucket' ? toBucket : toFolder
  for await (const rows of move.source.query('select id, size, hash from blob'))
    for (const [id, size, hash] of rows) {
      move.signal.throwIfAborted()
      await copy(move, { id: String(id), size: Number(size), hash: String(hash) })
      moved = { files: moved.files + 1, bytes: moved.bytes + Number(size) }
      move.tell(moved)
    }
  return moved
}
