import type { IncomingMessage } from 'node:http'
import type { Config } from '../config/config.ts'
import { forbidden } from '../lib/errors.ts'
import type { Settings } from '../settings/index.ts'
import type { Users } from '../users/index.ts'
import { hasOpenDoor } from './open-door.ts'
import type { SetupCode } from './setup-code.ts'

/** Which ways into an account are open; each throws 403 with the reason when its way is not. */
export interface EntryRules {
  /** Whether `WEBUI_AUTH=false` lets everybody in, see `open-door.ts`. */
  isDoorOpen(): boolean
  requirePasswords(): void
  requireSignUp(): void
  requireDesktop(): void
  requireDirectory(): void
  /** For the first account, made by a sign-in with another provider. */
  requireMayBeFirst(request: IncomingMessage): void
  /** For the first account of a gateway other machines reach. */
  requireSetupCode(code: string | undefined, request: IncomingMessage): void
}

export interface EntryRulesDependencies {
  readonly settings: Settings
  readonly users: Users
  readonly config: Config
  readonly setupCode: SetupCode
}

export function createEntryRules({
  settings,
  users,
  config,
  setupCode,
}: EntryRulesDependencies): EntryRules {
  const requirePasswords = (): void => {
    if (!settings.boolean('ENABLE_PASSWORD_AUTH'))
      throw forbidden('Signing in with a password is switched off here.', {
        code: 'passwords_disabled',
      })
  }
  const isDoorOpen = (): boolean => hasOpenDoor(config, settings)
  const requireSignUp = (): void => {
    if (isDoorOpen()) {
      if (users.count() > 0)
        throw forbidden('Nobody needs an account here: sign-in is switched off.', {
          code: 'signup_closed',
        })
      return
    }
    requirePasswords()
    // @NOTE A hidden form leaves signing in alone, as `/auth?form=true` still shows it; it closes
    //   sign-up, as in the reference.
    const isOffered = settings.boolean('ENABLE_SIGNUP') && settings.boolean('ENABLE_LOGIN_FORM')
    const isFirst = settings.boolean('ENABLE_INITIAL_ADMIN_SIGNUP') && users.count() === 0
    if (!isOffered && !isFirst) {
      throw forbidden('Sign-up is closed. Ask an administrator for an account.', {
        code: 'signup_closed',
      })
    }
    // Or whoever finds the port before the window opens would own the gateway.
    if (config.mode === 'desktop' && !users.first()) {
      throw forbidden('The first account is made by the window of the desktop app.', {
        code: 'signup_closed',
      })
    }
  }
  const requireSetupCode = (code: string | undefined, request: IncomingMessage): void => {
    if (!setupCode.isNeededFor(request) || setupCode.matches(code)) return
    throw forbidden(
      'The first account needs the setup code. It stands in the log of the gateway.',
      { code: 'setup_code_needed' },
    )
  }
  const requireDesktop = (): void => {
    if (config.mode !== 'desktop')
      throw forbidden('This gateway was not started by the desktop app.')
  }
  const requireDirectory = (): void => {
    if (isDoorOpen() || !settings.boolean('ENABLE_LDAP'))
      throw forbidden('Signing in with a directory is switched off here.', {
        code: 'ldap_disabled',
      })
  }
  const requireMayBeFirst = (request: IncomingMessage): void => {
    if (config.mode === 'desktop')
      throw forbidden('The first account is made by the window of the desktop app.', {
        code: 'signup_closed',
      })
    requireSetupCode(undefined, request)
  }
  return {
    isDoorOpen,
    requireMayBeFirst,
    requireDirectory,
    requirePasswords,
    requireSignUp,
    requireSetupCode,
    requireDesktop,
  }
}
