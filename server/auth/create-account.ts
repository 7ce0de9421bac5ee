import type { AuthSettings } from './auth-settings.ts'
import type { Storage } from '../storage/index.ts'
import type { UserRecord, Users } from '../users/index.ts'

/** Makes accounts of people who come by themselves. */
export type CreateAccount = (input: Parameters<Users['create']>[0]) => Promise<UserRecord>

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
  return (input) =>
    storage.transaction(async () => {
      const user = await users.create({ ...input, firstBecomesAdmin: true })
      if (user.isFirst) await settings.update({ ENABLE_SIGNUP: false })
      return user
    })
}
