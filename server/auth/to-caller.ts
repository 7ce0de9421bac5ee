import type { Role } from '#contract/common.ts'
import type { Caller } from '../lib/http.ts'
import type { UserRecord, Users } from '../users/index.ts'

/**
 * An identified caller. Work started by it may run for long, so the role is read from the account
 * whenever it is used; a deleted account may do as little as one that waits for approval.
 */
class AccountCaller implements Caller {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly credential: Caller['credential']
  readonly keyId: string | null
  readonly #users: Pick<Users, 'cached'>

  constructor(
    users: Pick<Users, 'cached'>,
    { id, name, email }: UserRecord,
    credential: Caller['credential'],
    keyId: string | null,
  ) {
    this.#users = users
    this.userId = id
    this.name = name
    this.email = email
    this.credential = credential
    this.keyId = keyId
  }

  get role(): Role {
    return this.#users.cached.roleOf(this.userId) ?? 'pending'
  }

  toJSON(): Caller {
    const { userId, role, name, email, credential, keyId } = this
    return { userId, role, name, email, credential, keyId }
  }
}

export const toCaller = (
  users: Pick<Users, 'cached'>,
  user: UserRecord,
  credential: Caller['credential'],
  keyId: string | null = null,
): Caller => new AccountCaller(users, user, credential, keyId)
