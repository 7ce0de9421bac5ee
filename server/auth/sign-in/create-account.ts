import { forbidden, ServiceError } from '../../lib/errors.ts'
import type { AuthSettings } from '../auth-settings.ts'
import type { Storage } from '../../storage/index.ts'
import type { UserRecord, Users } from '../../users/index.ts'

export const signUpClosed = (): Error =>
  forbidden('Sign-up is closed. Ask an administrator for an account.', { code: 'signup_closed' })

/** Creates accounts for users who register themselves. */
export type CreateAccount = (
  input: Parameters<Users['create']>[0] & {
    /** True to throw 403 if another client created the first account meanwhile. */
    readonly onlyAsFirst?: boolean
  },
) => Promise<UserRecord>

/**
 * Creates the account of a user whose identity another program vouches for, or returns the one that
 * a simultaneous sign-in, perhaps on another gateway, created first.
 */
export async function createOrFind(
  users: Users,
  email: string,
  create: () => Promise<UserRecord>,
): Promise<UserRecord> {
  try {
    return await create()
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'email_taken')) throw error
    return (await users.findByEmail(email)) ?? Promise.reject(error)
  }
}

/** The first account becomes an administrator and disables sign-up, in the same transaction. */
export function createAccountMaker({
  storage,
  settings,
  users,
}: {
  readonly storage: Storage
  readonly settings: AuthSettings
  readonly users: Users
}): CreateAccount {
  return ({ onlyAsFirst = false, ...input }) =>
    storage.transaction(async () => {
      const user = await users.create({ ...input, firstBecomesAdmin: true })
      if (onlyAsFirst && !user.isFirst) throw signUpClosed()
      if (user.isFirst) await settings.update({ ENABLE_SIGNUP: false })
      return user
    })
}
