import type { User } from '#contract/users.ts'
import type { UserRecord, Users } from './index.ts'

/** An account as administrators see it. */
export function toWireUser(_users: Omit<Users, 'routes'>, { tokenVersion: _tokenVersion, isFirst, ...user }: UserRecord): User {
  return { ...user, is_first: isFirst }
}
