import type { IncomingMessage } from 'node:http'
import type { Route } from '../../lib/http.ts'
import { createOwnSecrets, type Secrets } from '../../storage/secrets/secrets.ts'
import type { Origins } from '../origin/origins.ts'
import type { SignInParts } from '../sign-in/sign-in-parts.ts'
import type { Throttle } from '../sign-in/throttle.ts'
import { readCookie } from '../credentials.ts'
import type { ApplyDependencies } from './apply-decision.ts'
import { Pictures } from './pictures.ts'
import { ProviderClients } from './provider-clients.ts'
import { ProviderSessions } from './provider-sessions.ts'
import { Providers } from './providers.ts'
import type { Revocations } from './revocations.ts'
import { createSingleSignOnRoutes } from './routes.ts'
import { SingleSignOn, type SingleSignOnDependencies } from './single-sign-on.ts'
import { SingleSignOnStore } from './store.ts'

export type { ProviderTokens } from './provider-client.ts'

interface CreateDependencies extends Omit<ApplyDependencies, 'store' | 'apiKeys'>, SignInParts {
  readonly secrets: Secrets
  readonly origins: Origins
  /** The other gateways on the database; absent if there are none. */
  readonly live?: SingleSignOnDependencies['live']
  readonly throttle: Throttle
  readonly revocations: Revocations
  readonly requireMayBeFirst: SingleSignOnDependencies['requireMayBeFirst']
}

/**
 * Sign-in with other providers, on the tables of `0032-single-sign-on`. No provider is contacted
 * before a user signs in.
 */
export class ProviderSignIn {
  readonly #providers: Providers
  readonly #clients: ProviderClients
  /** Sign-ins of users with a provider, and their tokens. */
  readonly sessions: ProviderSessions
  readonly #pictures: Pictures
  readonly #signOn: SingleSignOn
  readonly routes: readonly Route[]

  constructor(deps: CreateDependencies) {
    const { storage, settings, users, peers, log } = deps
    const store = new SingleSignOnStore(storage)
    const secrets = createOwnSecrets(
      deps.secrets,
      settings.get('OAUTH_SESSION_TOKEN_ENCRYPTION_KEY'),
    )
    const providers = (this.#providers = new Providers({ settings, peers }))
    const clients = (this.#clients = new ProviderClients(settings))
    const providerSessions = (this.sessions = new ProviderSessions({
      storage,
      store,
      secrets,
      settings,
      providers,
      clients,
      live: deps.live,
      log,
    }))
    const pictures = (this.#pictures = new Pictures({ settings, users, log }))
    const parts = { store, secrets, providers, clients, providerSessions, pictures }
    const signOn = (this.#signOn = new SingleSignOn({ ...deps, ...parts }))
    users.onCreated(async (user, { isRegistration }) => {
      if (isRegistration && !user.isFirst && (await users.hasPassword(user.id)))
        await store.noteUnproved(user.id)
    })
    this.routes = createSingleSignOnRoutes({
      settings,
      users,
      providers,
      providerSessions,
      signOn,
    })
  }

  /** Returns the options for the sign-in page. */
  forSignInPage(): { readonly providers: Record<string, string>; readonly auto_redirect: boolean } {
    return this.#providers.forSignInPage()
  }

  /**
   * Returns the path of the sign-in to which the sign-in page leads a browser at once; null if it
   * shows itself. The page decides for a browser with a session, which may have ended.
   */
  automaticSignIn(request: IncomingMessage): string | null {
    const { providers, auto_redirect: isAutomatic } = this.forSignInPage()
    const [provider] = Object.keys(providers)
    return isAutomatic && readCookie(request) === null ? `/oauth/${provider}/login` : null
  }

  /** Ends the sign-in of a browser with a provider; returns the URL to redirect to. */
  signOut(...given: Parameters<SingleSignOn['signOut']>): ReturnType<SingleSignOn['signOut']> {
    return this.#signOn.signOut(...given)
  }

  async close(): Promise<void> {
    await this.#pictures.close()
    await this.#clients.close()
  }
}
