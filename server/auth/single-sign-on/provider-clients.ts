import type { OAuthProviderId } from '#contract/oauth.ts'
import { GuardedFetch } from '../../lib/outgoing/guarded-fetch.ts'
import { createOutgoingFetch } from '../../lib/outgoing/outgoing-fetch.ts'
import { createSignInFetch } from '../../lib/outgoing/sign-in-fetch.ts'
import type { AuthSettings } from '../auth-settings.ts'
import { OpenIdClient } from './open-id-client.ts'
import { PlainOAuthClient } from './plain-oauth-client.ts'
import type { ProviderClient } from './provider-client.ts'
import type { Provider } from './providers.ts'

const LARGEST_REPLY = 1024 * 1024

/**
 * One client per provider, recreated when its settings change, so that metadata and keys are read
 * once.
 */
export class ProviderClients {
  readonly #settings: AuthSettings
  readonly #clients = new Map<
    OAuthProviderId,
    { readonly setup: string; readonly client: ProviderClient }
  >()
  readonly #outgoing = createOutgoingFetch({ kind: 'sign_in' })

  constructor(settings: AuthSettings) {
    this.#settings = settings
  }

  of(provider: Provider): ProviderClient {
    const plain = this.#plainAddresses()
    const setup = JSON.stringify([
      provider,
      provider.discoveryUrl === null ? plain : this.#settings.get('OAUTH_TIMEOUT'),
    ])
    const known = this.#clients.get(provider.id)
    if (known?.setup === setup) return known.client
    const client =
      provider.discoveryUrl === null
        ? new PlainOAuthClient(provider, plain, this.#fetchFor([plain.token, plain.api]))
        : new OpenIdClient(provider, {
            fetch: this.#fetchFor([provider.discoveryUrl]),
            seconds: () => this.#seconds(),
          })
    this.#clients.set(provider.id, { setup, client })
    return client
  }

  close(): Promise<void> {
    return this.#outgoing.close()
  }

  #seconds(): number {
    return this.#settings.get('OAUTH_TIMEOUT')
  }

  #plainAddresses() {
    return {
      authorize: this.#settings.get('IDPC_AUTHORIZE_URL'),
      token: this.#settings.get('IDPC_TOKEN_URL'),
      api: this.#settings.get('IDPC_API_URL'),
    }
  }

  /**
   * An administrator chose these URLs; further URLs named by a provider must be public, unless the
   * provider itself is in the private network.
   */
  #fetchFor(chosen: readonly string[]) {
    const milliseconds = (): number => this.#seconds() * 1000
    const policy = () => ({
      allowedHosts: this.#settings.get('WEB_FETCH_ALLOWED_HOSTS'),
      allowLocal: this.#settings.get('ENABLE_LOCAL_WEB_FETCH'),
      maximumBytes: LARGEST_REPLY,
      timeoutMilliseconds: milliseconds(),
      offline: false,
    })
    const guarded = new GuardedFetch(policy, { purpose: { kind: 'sign_in' } })
    return createSignInFetch(chosen, { outgoing: this.#outgoing, guarded, milliseconds })
  }
}
