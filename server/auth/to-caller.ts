import type { Role } from '#contract/common.ts'
import type { Caller } from '../lib/http.ts'
import type { UserRecord, Users } from '../users/index.ts'

/** The credential that a caller sent. */
type PresentedBy = Pick<Caller, 'credential' | 'providerSession'> & Partial<Pick<Caller, 'keyId'>>

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
  readonly #users: Users
  readonly #providerSession: string | null

  constructor(
    users: Users,
    { id, name, email }: UserRecord,
    { credential, keyId = null, providerSession = null }: PresentedBy,
  ) {
    this.#users = users
    this.#providerSession = providerSession
    this.userId = id
    this.name = name
    this.email = email
    this.credential = credential
    this.keyId = keyId
  }

  get role(): Role {
    return this.#users.cached.roleOf(this.userId) ?? 'pending'
  }

  /** A getter, so that copies and logs of a caller do not contain the secret. */
  get providerSession(): string | null {
    return this.#providerSession
  }

  toJSON(): Caller {
    const { userId, role, name, email, credential, keyId } = this
    return { userId, role, name, email, credential, keyId }
  }
}

export const toCaller = (users: Users, user: UserRecord, presented: PresentedBy): Caller =>
  new AccountCaller(users, user, presented)
