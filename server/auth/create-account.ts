import { forbidden } from '../lib/errors.ts'
import type { AuthSettings } from './auth-settings.ts'
import type { Storage } from '../storage/index.ts'
import type { UserRecord, Users } from '../users/index.ts'

export const signUpClosed = (): Error =>
  forbidden('Sign-up is closed. Ask an administrator for an account.', { code: 'signup_closed' })

/** Makes accounts of people who come by themselves. */
export type CreateAccount = (
  input: Parameters<Users['create']>[0] & {
    /** 403 when somebody else made the first account meanwhile. */
    readonly onlyAsFirst?: boolean
  },
) => Promise<UserRecord>

/** The first account is an administrator and closes sign-up behind it, in the same transaction. */
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
