import type { Config } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import type { Logger } from '../lib/logger.ts'
import { joinOthers, newReplicaName, openLine, type Foundation } from '../live/index.ts'
import { adoptRootSecret, checkRootSecret } from '../storage/secrets/check-root-secret.ts'
import type { Bucket } from '../storage/blobs/bucket/bucket.ts'
import { openStorage, type Storage } from '../storage/index.ts'
import { openPostgres } from '../storage/postgres/open-postgres.ts'
import { loadRootSecret, readKeyFileText } from '../storage/secrets/root-secret.ts'
import { createSecrets, type Secrets } from '../storage/secrets/secrets.ts'

/**
 * Handles a root secret other than the one under which the stored data was written: chats stay
 * readable, stored provider keys and sessions do not. A secret from the environment or the keychain
 * was set deliberately, so it is adopted and logged.
 */
async function acceptRootSecret(
  storage: Storage,
  secrets: Secrets,
  { config, log }: { config: Config; log: Logger },
): Promise<void> {
  if ((await checkRootSecret(storage, secrets)) !== 'different') return
  if (config.databaseServer !== null) {
    throw new StartError(
      'WEBUI_SECRET_KEY is not the key this database was used with. Set it to the right one, or name another database in DATABASE_URL. Nothing was changed.',
    )
  }
  if (config.secretKey === null) {
    throw new StartError(
      'The key file secret.key does not belong to this database. Put the right one back, or set WEBUI_SECRET_KEY to the secret it was used with; chats are untouched.',
    )
  }
  await adoptRootSecret(storage, secrets)
  log.warn(
    'the root secret has changed: all users have to sign in again, and stored provider keys have to be entered again',
  )
}

/**
 * Opens the secrets. If `WEBUI_SECRET_KEY` contains the text of the key file, data written under
 * the file can be read.
 */
async function openSecrets(
  storage: Storage,
  { config, log }: { config: Config; log: Logger },
): Promise<Secrets> {
  const secrets = createSecrets(loadRootSecret(config, log))
  const fromFile = config.secretKey === null ? null : readKeyFileText(config.secretKey)
  if (fromFile !== null && (await checkRootSecret(storage, secrets)) === 'different') {
    const others = createSecrets(fromFile)
    if ((await checkRootSecret(storage, others)) === 'ok') return others
  }
  await acceptRootSecret(storage, secrets, { config, log })
  return secrets
}

interface FoundationOptions {
  readonly databaseFile: string
  readonly bucket: Bucket | null
  readonly log: Logger
}

/** Opens a database that several gateways may share; they communicate over Redis. */
async function openShared(
  config: Config,
  {
    address,
    redisUrl,
    bucket,
    log,
  }: { address: string; redisUrl: string } & Omit<FoundationOptions, 'databaseFile'>,
): Promise<Foundation> {
  const self = newReplicaName()
  const named = createSecrets(loadRootSecret(config, log))
  const line = await openLine({ url: redisUrl, secrets: named, log, self })
  try {
    const storage = await openPostgres({ address, log, sharing: 'several', name: self })
    try {
      const secrets = await openSecrets(storage, { config, log })
      const live = await joinOthers(line, { storage, log, self })
      return { config, storage, secrets, bucket, live, log }
    } catch (error) {
      storage.close()
      throw error
    }
  } catch (error) {
    line.close()
    throw error
  }
}

/** Opens the database of a locked data directory and its secrets. */
export async function openFoundation(
  config: Config,
  { databaseFile, bucket, log }: FoundationOptions,
): Promise<Foundation> {
  const { databaseServer, redisUrl } = config
  if (databaseServer && redisUrl)
    return openShared(config, { ...databaseServer, redisUrl, bucket, log })
  const storage = databaseServer
    ? await openPostgres({ ...databaseServer, log, sharing: 'alone' })
    : openStorage({ path: databaseFile, recovery: config.databaseRecovery, log })
  try {
    const secrets = await openSecrets(storage, { config, log })
    return { config, storage, secrets, bucket, live: null, log }
  } catch (error) {
    storage.close()
    throw error
  }
}
