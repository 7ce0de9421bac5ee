import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import type { ObjectStoreConfig } from '../config/parse-object-store.ts'
import { StartError } from '../config/start-error.ts'
import { ServiceError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import type { Logger } from '../lib/logger.ts'
import { findOwnServers, ruleEarlyConnections } from '../outgoing/index.ts'
import { createEarlySettings } from '../settings/index.ts'
import { Bucket } from '../storage/blobs/bucket/bucket.ts'
import { toFault, type BucketFault, type BucketProblem } from '../storage/blobs/bucket/faults.ts'
import { DATABASE_NAME } from '../storage/data-directory.ts'
import { peekSettings } from '../storage/peek-settings.ts'

/** Maximum time to wait for a store that starts together with the gateway. */
const PATIENCE_MILLISECONDS = 20_000
/** Time limit of one attempt; the last may start just before the total time is over. */
const TRY_MILLISECONDS = 8_000
const PAUSE_MILLISECONDS = 1_000

const nameOf = ({ endpoint }: ObjectStoreConfig): string =>
  endpoint === null ? 'the store of AWS' : `the store at ${new URL(endpoint).origin}`

/** Error messages with the variable concerned and a remedy. */
const SENTENCES: Readonly<
  Record<BucketProblem, (config: ObjectStoreConfig, code: string) => string>
> = {
  away: (config, code) =>
    `S3_ENDPOINT_URL: ${nameOf(config)} cannot be reached (${code}). Start it, or correct the address.`,
  'no-bucket': (config) =>
    `S3_BUCKET_NAME: ${nameOf(config)} has no bucket "${config.bucket}". Make it, or correct the name.`,
  'no-such-object': (config) =>
    `S3_BUCKET_NAME: ${nameOf(config)} does not find in the bucket "${config.bucket}" what was just written. Check the name of the bucket and the address.`,
  'wrong-key': (config, code) =>
    `S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: ${nameOf(config)} does not accept them for the bucket of S3_BUCKET_NAME (${code}). Correct them.`,
  refused: (config, code) =>
    `S3_BUCKET_NAME: ${nameOf(config)} does not let this key write, read and delete in the bucket "${config.bucket}" (${code}). Allow it PutObject, GetObject and DeleteObject${config.keyPrefix === '' ? '' : ` below ${config.keyPrefix}`}.`,
  'wrong-region': (config, code) =>
    `S3_REGION_NAME: ${nameOf(config)} has the bucket of S3_BUCKET_NAME in another region than ${config.region} (${code}). Correct the region.`,
  'other-bytes': (config) =>
    `S3_ENDPOINT_URL: ${nameOf(config)} gave back other bytes than were stored. Check that the address is that of an S3-compatible store.`,
}

function toStartError(fault: BucketFault, config: ObjectStoreConfig): StartError {
  return new StartError(`STORAGE_PROVIDER=s3, ${SENTENCES[fault.problem](config, fault.code)}`, {
    cause: fault,
  })
}

/** Retries until it succeeds or the time is over. */
async function prove(bucket: Bucket, config: ObjectStoreConfig): Promise<void> {
  const end = performance.now() + PATIENCE_MILLISECONDS
  for (;;) {
    try {
      await bucket.prove(`check-${newId()}`, AbortSignal.timeout(TRY_MILLISECONDS))
      return
    } catch (error) {
      const fault = toFault(error)
      if (fault instanceof ServiceError) throw fault
      if (performance.now() + PAUSE_MILLISECONDS >= end) throw toStartError(fault, config)
      await sleep(PAUSE_MILLISECONDS)
    }
  }
}

/**
 * Opens the bucket for uploads and verifies that it is usable, before anything else is touched;
 * resolves with null if uploads are kept in the data folder. Throws a `StartError` that names the
 * variable.
 */
export async function reachBucket(config: Config, log: Logger): Promise<Bucket | null> {
  const { objectStore, environment, dataDir } = config
  if (!objectStore) return null
  const stored = peekSettings(path.join(dataDir, DATABASE_NAME))
  const endRules = ruleEarlyConnections(createEarlySettings(config, stored), {
    environment,
    ownServers: findOwnServers(config),
  })
  const bucket = await Bucket.open(objectStore)
  try {
    await prove(bucket, objectStore)
    return bucket
  } catch (error) {
    // In sealed mode the store of AWS is not called. Preventing the gateway from starting would not
    // help, because it can only be unsealed there.
    if (error instanceof ServiceError) {
      log.warn({ reason: error.message }, 'the bucket for files was not checked')
      return bucket
    }
    throw error
  } finally {
    // The list of outgoing connections does not contain those opened before it existed.
    bucket.close()
    endRules()
  }
}
