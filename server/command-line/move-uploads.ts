import path from 'node:path'
import { createLogger } from '../lib/logger.ts'
import { parseConfig } from '../config/parse-config.ts'
import { reachBucket } from '../process/reach-bucket.ts'
import type { DataSource } from '../storage/moving/end.ts'
import { moveFiles, type MovedFiles } from '../storage/moving/move-files.ts'
import type { Terminal } from './command.ts'

/** `s3://bucket/prefix`; the endpoint and the key come from the environment. */
const ADDRESS = /^s3:\/\/([^/]+)\/?(.*)$/

interface FilesToMove {
  readonly source: DataSource
  readonly address: string
  readonly dataDir: string
  readonly to: 'bucket' | 'folder'
}

/** Copies the bytes of all uploads. Throws a `StartError` when the bucket cannot be used. */
export async function moveFilesBetween(
  { source, address, dataDir, to }: FilesToMove,
  { environment, remark, signal }: Pick<Terminal, 'environment' | 'remark' | 'signal'>,
): Promise<MovedFiles> {
  const [, name = '', prefix = ''] = ADDRESS.exec(address)!
  const config = parseConfig({
    ...environment,
    DATA_DIR: dataDir,
    STORAGE_PROVIDER: 's3',
    S3_BUCKET_NAME: name,
    S3_KEY_PREFIX: prefix,
  })
  const bucket = (await reachBucket(config, createLogger('error')))!
  try {
    const tell = ({ files, bytes }: MovedFiles): void => {
      if (files % 100 === 0) remark(`uploads: ${files} (${bytes} bytes)\n`)
    }
    const folder = path.join(dataDir, 'uploads')
    return await moveFiles({ source, folder, bucket, signal, tell }, to)
  } finally {
    bucket.close()
  }
}
