import type { Route } from '../../lib/http.ts'
import { createOwnSecrets, type Secrets } from '../../storage/secrets.ts'
import type { AuthRouteDependencies } from '../auth-route.ts'
import type { Origins } from '../origins.ts'
import type { Throttle } from '../throttle.ts'
import type { ApplyDependencies } from './apply-decision.ts'
import { Pictures } from './pictures.ts'
import type { ProviderTokens } from './provider-client.ts'
import { ProviderClients } from './provider-clients.ts'
import { ProviderSessions } from './provider-sessions.ts'
import { Providers } from './providers.ts'
import type { Revocations } from './revocations.ts'
import { createSingleSignOnRoutes } from './routes.ts'
import { SingleSignOn, type SingleSignOnDependencies } from './single-sign-on.ts'
import { createSingleSignOnStore } from './store.ts'

export type { ProviderTokens } from './provider-client.ts'

/** Signing in with other providers, as the rest of the gateway sees it. */
export interface SingleSignOnFace {
  /** What the sign-in page offers. */
  forSignInPage(): { readonly providers: Record<string, string>; readonly auto_redirect: boolean }
  /**
   * Tokens of somebody's newest sign-in with a provider, renewed where they end soon; null without
   * any.
   */
  tokensOf(userId: string): Promise<ProviderTokens | null>
  /** Ends the sign-in a browser has with a provider, with where it is to be led. */
  readonly signOut: SingleSignOn['signOut']
  readonly routes: readonly Route[]
  close(): Promise<void>
}

export interface CreateDependencies
  extends
    Omit<ApplyDependencies, 'store' | 'apiKeys'>,
    Pick<
      AuthRouteDependencies,
      'sessions' | 'sessionRecords' | 'places' | 'peers' | 'views' | 'announceRevoked' | 'apiKeys'
    > {
  readonly secrets: Secrets
  readonly origins: Origins
  readonly throttle: Throttle
  readonly revocations: Revocations
  readonly requireMayBeFirst: SingleSignOnDependencies['requireMayBeFirst']
}

/**
 * Builds it on the tables of `0032-single-sign-on`; no provider is asked before somebody signs in.
 */
export function createSingleSignOn(deps: CreateDependencies): SingleSignOnFace {
  const { storage, settings, users, peers, log } = deps
  const store = createSingleSignOnStore(storage)
  const secrets = createOwnSecrets(
    deps.secrets,
    settings.string('OAUTH_SESSION_TOKEN_ENCRYPTION_KEY'),
  )
  const providers = new Providers({ settings, peers })
  const clients = new ProviderClients(settings)
  const providerSessions = new ProviderSessions({
    storage,
    store,
    secrets,
    settings,
    providers,
    clients,
    log,
  })
  const pictures = new Pictures({ settings, users, log })
  const signOn = new SingleSignOn({
    ...deps,
    store,
    secrets,
    providers,
    clients,
    providerSessions,
    pictures,
  })
  users.onCreated((user, { isRegistration }) => {
    if (isRegistration && !user.isFirst && users.hasPassword(user.id)) store.noteUnproved(user.id)
  })
  return {
    forSignInPage: () => providers.forSignInPage(),
    tokensOf: (userId) => providerSessions.tokensOf(userId),
    signOut: (call, userId) => signOn.signOut(call, userId),
    routes: createSingleSignOnRoutes({ settings, users, providers, providerSessions, signOn }),
    async close() {
      await pictures.close()
      await clients.close()
    },
  }
}
