import type { IncomingMessage } from 'node:http'
import type { Config } from '../../config/config.ts'
import { forbidden } from '../../lib/errors.ts'
import type { AuthSettings } from '../auth-settings.ts'
import type { Users } from '../../users/index.ts'
import { signUpClosed } from './create-account.ts'
import { hasOpenDoor } from './open-door.ts'
import type { SetupCode } from './setup-code.ts'

export interface EntryRulesDependencies {
  readonly settings: AuthSettings
  readonly users: Users
  readonly config: Config
  readonly setupCode: SetupCode
}

/** Checks which ways of signing in are enabled; each check throws 403 with the reason if not. */
export class EntryRules {
  readonly #deps: EntryRulesDependencies

  constructor(deps: EntryRulesDependencies) {
    this.#deps = deps
  }

  /** Returns true if `WEBUI_AUTH=false` disables sign-in, see `open-door.ts`. */
  isDoorOpen(): boolean {
    return hasOpenDoor(this.#deps.config, this.#deps.settings)
  }

  requirePasswords(): void {
    if (!this.#deps.settings.get('ENABLE_PASSWORD_AUTH'))
      throw forbidden('Signing in with a password is turned off on this gateway.', {
        code: 'passwords_disabled',
      })
  }

  async requireSignUp(): Promise<void> {
    const { settings, users, config } = this.#deps
    if (this.isDoorOpen()) {
      if ((await users.count()) > 0)
        throw forbidden('No account is needed here: sign-in is turned off.', {
          code: 'signup_closed',
        })
      return
    }
    this.requirePasswords()
    // @NOTE Hiding the form disables sign-up, but not sign-in: `/auth?form=true` still shows it.
    const isOffered = settings.get('ENABLE_SIGNUP') && settings.get('ENABLE_LOGIN_FORM')
    const isFirst = settings.get('ENABLE_INITIAL_ADMIN_SIGNUP') && (await users.count()) === 0
    if (!isOffered && !isFirst) throw signUpClosed()
    // Otherwise a client that finds the port before the window opens would own the gateway.
    if (config.mode === 'desktop' && !(await users.first())) {
      throw forbidden('The first account is created in the window of the desktop app.', {
        code: 'signup_closed',
      })
    }
  }

  requireDesktop(): void {
    if (this.#deps.config.mode !== 'desktop')
      throw forbidden('This gateway was not started by the desktop app.')
  }

  requireDirectory(): void {
    if (this.isDoorOpen() || !this.#deps.settings.get('ENABLE_LDAP'))
      throw forbidden('Signing in with a directory is turned off on this gateway.', {
        code: 'ldap_disabled',
      })
  }

  /** Checks that the first account may be created by signing in with another provider. */
  async requireMayBeFirst(request: IncomingMessage): Promise<void> {
    if (this.#deps.config.mode === 'desktop')
      throw forbidden('The first account is created in the window of the desktop app.', {
        code: 'signup_closed',
      })
    await this.requireSetupCode(undefined, request)
  }

  /** Checks the setup code for the first account of a gateway that other machines reach. */
  async requireSetupCode(code: string | undefined, request: IncomingMessage): Promise<void> {
    const { setupCode } = this.#deps
    if (!(await setupCode.isNeededFor(request)) || setupCode.matches(code)) return
    throw forbidden(
      'The first account needs the setup code. You can find it in the log of the gateway.',
      { code: 'setup_code_needed' },
    )
  }
}
