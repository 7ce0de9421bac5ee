import type { Logger } from '../../lib/logger.ts'
import type { AuthSettings } from '../auth-settings.ts'
import type { ProviderClients } from './provider-clients.ts'
import type { Providers } from './providers.ts'

/**
 * Returns the URL where a browser ends its sign-in with a provider; null if there is no such page.
 */
export async function findSignOutAddress(
  {
    settings,
    providers,
    clients,
    log,
  }: {
    readonly settings: AuthSettings
    readonly providers: Providers
    readonly clients: ProviderClients
    readonly log: Logger
  },
  providerName: string,
  idToken: string | null,
): Promise<string | null> {
  const returnTo = settings.get('WEBUI_AUTH_SIGNOUT_REDIRECT_URL')
  const chosen = settings.get('OPENID_END_SESSION_ENDPOINT')
  if (chosen !== '') {
    const url = new URL(chosen)
    if (idToken !== null) url.searchParams.set('id_token_hint', idToken)
    if (returnTo !== '') url.searchParams.set('post_logout_redirect_uri', returnTo)
    return url.href
  }
  const provider = providers.find(providerName)
  try {
    return provider && (await clients.of(provider).signOutAddress(idToken, returnTo))
  } catch (error) {
    log.warn(
      { error, provider: providerName },
      'users are not redirected to the sign-out page of the provider',
    )
    return null
  }
}
