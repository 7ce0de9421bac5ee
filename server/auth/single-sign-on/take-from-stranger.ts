import type { UserRecord, Users } from '../../users/index.ts'
import type { ApiKeys } from '../keys/api-keys.ts'
import type { SingleSignOnStore } from './store.ts'

export interface TakeOverDependencies {
  readonly users: Users
  readonly apiKeys: ApiKeys
  readonly store: SingleSignOnStore
}

/**
 * An account whose e-mail address was never verified may have been created by a stranger: the user
 * who verifies the address gets it, and its former credentials are removed, as are its settings:
 * they name addresses that answers are sent to. Must be called within a transaction.
 */
export async function takeFromStranger(
  { users, apiKeys, store }: TakeOverDependencies,
  { id }: Pick<UserRecord, 'id'>,
): Promise<void> {
  if (!(await store.isUnproved(id))) return
  await users.removeOwnEntries(id)
  for await (const key of apiKeys.list(id)) await apiKeys.remove(id, key.id)
  await users.revokeSessions(id)
  await store.noteProved(id)
}
