import { emailSchema } from '#contract/common.ts'
import type { Config } from '../../config/config.ts'
import { StartError } from '../../config/start-error.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { UserRecord, Users } from '../../users/index.ts'

const DEFAULT_NAME = 'Admin'

/** Returns the account requested by the environment, or null. */
function readAccount({
  environment,
  mode,
}: Config): { email: string; password: string; name: string } | null {
  const {
    WEBUI_ADMIN_EMAIL: address = '',
    WEBUI_ADMIN_PASSWORD: password = '',
    WEBUI_ADMIN_NAME: name = '',
  } = environment
  if (mode === 'desktop' || address.trim() === '' || password === '') return null
  const email = emailSchema.safeParse(address)
  if (!email.success)
    throw new StartError(
      `WEBUI_ADMIN_EMAIL=${JSON.stringify(address)} is not possible. It must be an e-mail address.`,
      { exitCode: 2 },
    )
  return { email: email.data, password, name: name.trim() || DEFAULT_NAME }
}

/**
 * Creates the first account from the environment if there is none yet, so that the administrator
 * need not be the first to reach the sign-up page.
 */
export async function createFirstAdmin(deps: {
  readonly config: Config
  readonly users: Users
  readonly createAccount: (input: Parameters<Users['create']>[0]) => Promise<UserRecord>
}): Promise<void> {
  const account = readAccount(deps.config)
  if (!account || (await deps.users.count()) > 0) return
  try {
    const passwordHash = await deps.users.hashPassword(account.password)
    await deps.createAccount({
      name: account.name,
      email: account.email,
      role: 'admin',
      passwordHash,
    })
  } catch (error) {
    // Another gateway that started at the same moment was first.
    if ((await deps.users.count()) > 0) return
    if (error instanceof ServiceError)
      throw new StartError(
        `The first account cannot be made from WEBUI_ADMIN_*. ${error.message}`,
        { exitCode: 2 },
      )
    throw error
  }
}
