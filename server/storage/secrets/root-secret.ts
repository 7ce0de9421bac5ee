import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../../config/config.ts'
import { StartError } from '../../config/start-error.ts'
import type { Logger } from '../../lib/logger.ts'
import { writeFileAtomically } from '../../lib/write-file-atomically.ts'

const SECRET_BYTES = 32

/** Returns the secret in the text of a key file; null if the text is invalid. */
export function readKeyFileText(text: string): Buffer | null {
  const secret = Buffer.from(text.trim(), 'base64url')
  const isWhole = secret.length === SECRET_BYTES && secret.toString('base64url') === text.trim()
  return isWhole ? secret : null
}

function parseSecret(text: string, file: string): Buffer {
  const secret = readKeyFileText(text)
  if (secret) return secret
  throw new StartError(
    `The key file ${file} is damaged. Put it back from a backup. If there is none, remove it: chats stay, but everybody signs in again and provider keys have to be entered again.`,
  )
}

/**
 * The file gives access to every stored provider key, so its permissions are restricted even if
 * they were wider.
 */
function closeToOthers(file: string, log: Logger): void {
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) return
  chmodSync(file, 0o600)
  log.warn(
    { file },
    'the key file could be read by other users of this computer; its permissions were corrected',
  )
}

/**
 * Returns the secret from which all others are derived: the configured one, else a file in the data
 * folder, created once and never overwritten. Must be called while the data folder is locked.
 */
export function loadRootSecret(
  { secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>,
  log: Logger,
): Buffer | string {
  if (secretKey !== null) return secretKey
  const file = path.join(dataDir, 'secret.key')
  if (!statSync(file, { throwIfNoEntry: false })) {
    writeFileAtomically(file, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`)
  }
  closeToOthers(file, log)
  return parseSecret(readFileSync(file, 'utf8'), file)
}
