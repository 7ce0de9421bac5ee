import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from '../../lib/logger.ts'
import type { Storage } from '../index.ts'
import type { Blobs } from './blobs.ts'
import type { Bucket } from './bucket/bucket.ts'
import { BucketBlobs } from './bucket/bucket-blobs.ts'
import { UploadMarks } from './bucket/upload-marks.ts'
import { FolderBlobs } from './folder-blobs.ts'

export interface BlobsOptions {
  readonly dataDir: string
  /** Null stores them in the data folder. */
  readonly bucket: Bucket | null
  readonly storage: Storage
  readonly isShared: boolean
  /** Returns true if there is a row for the bytes. */
  readonly isKnown: (id: string) => Promise<boolean>
  readonly log: Logger
}

/** Returns true if uploads were stored in the data folder before. */
const hasUploads = (folder: string): boolean =>
  existsSync(folder) && readdirSync(folder).some((name) => /^[\da-f]{2}$/.test(name))

/** Opens the store of uploaded bytes. */
export function openBlobs({
  dataDir,
  bucket,
  storage,
  isShared,
  isKnown,
  log,
}: BlobsOptions): Blobs {
  const folder = path.join(dataDir, 'uploads')
  if (!bucket) return new FolderBlobs(folder, isKnown)
  if (hasUploads(folder))
    log.warn(
      { folder },
      'uploads in the data folder are ignored while a bucket is configured; docs/object-storage.md says how to move them',
    )
  const marks = new UploadMarks(storage)
  const temporaryFolder = path.join(folder, 'temporary')
  return new BucketBlobs({ bucket, marks, temporaryFolder, isShared, log })
}
