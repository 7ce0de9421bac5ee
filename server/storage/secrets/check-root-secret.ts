import type { Storage } from '../index.ts'
import type { Secrets } from './secrets.ts'

/**
 * `different`: the stored secrets were written under another root secret and cannot be read with
 * this one.
 */
export type RootSecretState = 'new' | 'ok' | 'different'

const PLACE = 'root_secret_check|1|value'
const KNOWN_TEXT = 'chat-gateway'

/**
 * Distinguishes a wrong root secret from damaged data; the first call on a new database records its
 * secret.
 */
export async function checkRootSecret(
  storage: Storage,
  secrets: Secrets,
): Promise<RootSecretState> {
  const { builder } = storage
  const row = await storage.get(
    builder.selectFrom('root_secret_check').select('value').where('id', '=', 1),
  )
  if (row) return secrets.decrypt(PLACE, row.value) === KNOWN_TEXT ? 'ok' : 'different'
  const added = await storage.run(
    builder
      .insertInto('root_secret_check')
      .values({ id: 1, value: secrets.encrypt(PLACE, KNOWN_TEXT) })
      .onConflict((conflict) => conflict.column('id').doNothing()),
  )
  // Another gateway that started on the new database at the same moment may have been first.
  return added > 0 ? 'new' : checkRootSecret(storage, secrets)
}

/**
 * Accepts the current root secret as correct from now on; data written under another one stays
 * unreadable.
 */
export async function adoptRootSecret(storage: Storage, secrets: Secrets): Promise<void> {
  await storage.run(
    storage.builder
      .updateTable('root_secret_check')
      .set({ value: secrets.encrypt(PLACE, KNOWN_TEXT) })
      .where('id', '=', 1),
  )
}
