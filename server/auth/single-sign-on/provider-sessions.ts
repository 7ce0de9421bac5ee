import { hash } from 'node:crypto'
import type { OAuthSessionInfo } from '#contract/oauth.ts'
import { newId, nowSeconds, randomToken } from '../../lib/ids.ts'
import type { Caller } from '../../lib/http.ts'
import type { Logger } from '../../lib/logger.ts'
import { takeTurn, type Live } from '../../live/index.ts'
import type { AuthSettings } from '../auth-settings.ts'
import type { Storage } from '../../storage/index.ts'
import type { Secrets } from '../../storage/secrets/secrets.ts'
import type { ProviderTokens, SignedIn } from './provider-client.ts'
import type { ProviderClients } from './provider-clients.ts'
import type { Provider, Providers } from './providers.ts'
import type { OAuthSessionRow, SingleSignOnStore } from './store.ts'

interface ProviderSessionsDependencies {
  readonly storage: Storage
  readonly store: SingleSignOnStore
  readonly secrets: Secrets
  readonly settings: AuthSettings
  readonly providers: Providers
  readonly clients: ProviderClients
  /** The other gateways on the database; absent if there are none. */
  readonly live?: Live | null
  readonly log: Logger
}

/**
 * A token that expires within this time is renewed before use; one with a shorter lifetime in the
 * second half of it.
 */
const EARLY_SECONDS = 60

const placeOf = (id: string): string => `oauth_session|${id}|tokens`
const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url')

const toInfo = ({
  id,
  user_id,
  provider,
  expires_at,
  is_renewable,
  began_at,
  updated_at,
}: OAuthSessionRow): OAuthSessionInfo => ({
  id,
  user_id,
  provider,
  expires_at,
  is_renewable: is_renewable === 1,
  created_at: Math.floor(began_at / 1000),
  updated_at,
})

/** Sign-ins with providers whose tokens are stored, encrypted, for tools that use them. */
export class ProviderSessions {
  readonly #deps: ProviderSessionsDependencies
  /** Pending renewals, because a refresh token may be used only once. */
  readonly #renewing = new Map<string, Promise<ProviderTokens | null>>()

  constructor(deps: ProviderSessionsDependencies) {
    this.#deps = deps
  }

  /**
   * Stores the tokens of a sign-in; returns the secret for the browser. The oldest ones beyond the
   * limit end.
   */
  async open(
    userId: string,
    provider: Provider,
    { identity, tokens, sid }: SignedIn,
  ): Promise<string> {
    const { store, settings, storage } = this.#deps
    const id = newId()
    const secret = randomToken()
    const row: OAuthSessionRow = {
      id,
      user_id: userId,
      provider: provider.id,
      ...identity,
      sid,
      secret_hash: hashSecret(secret),
      ...this.#seal(id, tokens),
      began_at: Date.now(),
      updated_at: nowSeconds(),
    }
    await storage.transaction(async () => {
      const others = (await store.listSessions(userId)).filter(
        (each) => each.provider === provider.id,
      )
      for (const { id: oldId } of others.slice(settings.get('OAUTH_MAX_SESSIONS_PER_USER') - 1))
        await store.removeSession(oldId)
      await store.insertSession(row)
    })
    return secret
  }

  async list(userId: string): Promise<OAuthSessionInfo[]> {
    return (await this.#deps.store.listSessions(userId)).map(toInfo)
  }

  /** Ends those of one provider; resolves with false if the user has none with it. */
  async endAll(userId: string, providerId: string): Promise<boolean> {
    return (await this.#deps.store.removeSessionsOf(userId, providerId)) > 0
  }

  /** Ends one; resolves with false if the user has none with this id. */
  async end(userId: string, id: string): Promise<boolean> {
    return (
      (await this.#deps.store.getSession(id))?.user_id === userId &&
      (await this.#deps.store.removeSession(id))
    )
  }

  /**
   * Returns the one whose secret the browser holds, with the data needed to sign out at the
   * provider; null for every other secret.
   */
  async findBySecret(secret: string): Promise<{
    id: string
    userId: string
    provider: string
    tokens: ProviderTokens | null
  } | null> {
    const row = await this.#deps.store.findSession(hashSecret(secret))
    return (
      row && { id: row.id, userId: row.user_id, provider: row.provider, tokens: this.#open(row) }
    )
  }

  /**
   * Returns the currently valid tokens of a user, renewed if they expire soon: those of the sign-in
   * whose secret the browser sent, otherwise of the newest. Null if there are none.
   */
  async tokensOf({
    userId,
    providerSession = null,
  }: Pick<Caller, 'userId' | 'providerSession'>): Promise<ProviderTokens | null> {
    const rows = await this.#deps.store.listSessions(userId)
    const sent = providerSession === null ? null : hashSecret(providerSession)
    const own = rows.find((row) => row.secret_hash === sent)
    for (const row of own ? [own, ...rows.filter((other) => other !== own)] : rows) {
      const tokens = await this.#fresh(row)
      if (tokens) return tokens
    }
    return null
  }

  async #fresh(row: OAuthSessionRow): Promise<ProviderTokens | null> {
    const tokens = this.#open(row)
    if (!tokens) return this.#drop(row, 'its tokens cannot be read any more')
    const left = (tokens.expires_at ?? Number.POSITIVE_INFINITY) - nowSeconds()
    // Otherwise tokens with a lifetime of a minute would be renewed at every use.
    const lifetime = (tokens.expires_at ?? Number.POSITIVE_INFINITY) - row.updated_at
    if (left > Math.min(EARLY_SECONDS, lifetime / 2)) return tokens
    if (tokens.refresh_token === null)
      return left > 0 ? tokens : await this.#drop(row, 'it has ended and has no refresh token')
    const known = this.#renewing.get(row.id)
    if (known) return known
    const work = this.#renewInTurn(row, tokens).finally(() => this.#renewing.delete(row.id))
    this.#renewing.set(row.id, work)
    return work
  }

  /**
   * Renews the tokens of a sign-in, unless another call or another gateway has done so since they
   * were read.
   */
  #renewInTurn(row: OAuthSessionRow, tokens: ProviderTokens): Promise<ProviderTokens | null> {
    const { live, store } = this.#deps
    return takeTurn(live, `oauth_session/${row.id}`, async () => {
      const now = await store.getSession(row.id)
      if (!now) return null
      return now.tokens === row.tokens ? this.#renew(row, tokens) : this.#open(now)
    })
  }

  async #renew(row: OAuthSessionRow, tokens: ProviderTokens): Promise<ProviderTokens | null> {
    const { providers, clients, store } = this.#deps
    const provider = providers.find(row.provider)
    if (!provider) return this.#drop(row, 'its provider is not set up any more')
    try {
      const renewed = await clients.of(provider).renew(tokens)
      await store.updateSession(row.id, this.#seal(row.id, renewed))
      return renewed
    } catch (error) {
      // A provider that is briefly unreachable does no harm while the token is still valid.
      if ((tokens.expires_at ?? 0) > nowSeconds()) return tokens
      return this.#drop(row, 'its token could not be renewed', error)
    }
  }

  async #drop(
    { id, user_id, provider }: OAuthSessionRow,
    reason: string,
    error?: unknown,
  ): Promise<null> {
    await this.#deps.store.removeSession(id)
    this.#deps.log.warn(
      { user_id, provider, ...(error !== undefined && { error }) },
      `a sign-in with a provider was forgotten: ${reason}`,
    )
    return null
  }

  #seal(
    id: string,
    tokens: ProviderTokens,
  ): Pick<OAuthSessionRow, 'tokens' | 'expires_at' | 'is_renewable'> {
    const sealed = this.#deps.secrets.encrypt(placeOf(id), JSON.stringify(tokens))
    return {
      tokens: sealed,
      expires_at: tokens.expires_at,
      is_renewable: tokens.refresh_token === null ? 0 : 1,
    }
  }

  #open(row: OAuthSessionRow): ProviderTokens | null {
    const text = this.#deps.secrets.decrypt(placeOf(row.id), row.tokens)
    return text === null ? null : (JSON.parse(text) as ProviderTokens)
  }
}
