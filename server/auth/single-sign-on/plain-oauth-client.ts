import { hash } from 'node:crypto'
import { isRecord } from '../../lib/is-record.ts'
import { nowSeconds } from '../../lib/ids.ts'
import { parseJson } from '../../lib/json/parse-json.ts'
import type { SignInFetch } from '../../lib/outgoing/sign-in-fetch.ts'
import { ownValue } from '../../lib/json/own-value.ts'
import { toFailure, toRefusal } from './explain-failure.ts'
import type {
  FinishOptions,
  Flow,
  Person,
  ProviderClient,
  ProviderTokens,
  Returned,
  SignedIn,
} from './provider-client.ts'
import type { Provider } from './providers.ts'
import { readText, type Claims } from './read-claims.ts'
import { SignInFailure } from './sign-in-failure.ts'
import type { OAuthStep } from '#contract/oauth.ts'
import type { Trace } from './trace.ts'

/** URLs of a plain OAuth 2.0 provider. */
interface PlainAddresses {
  readonly authorize: string
  readonly token: string
  /**
   * `/user` identifies the user, `/user/emails` tells which of the user's addresses are verified.
   */
  readonly api: string
}

interface Email {
  readonly email: string
  readonly primary: boolean
  readonly verified: boolean
}

const toEmails = (value: unknown): Email[] =>
  (Array.isArray(value) ? value : [])
    .filter(isRecord)
    .filter(({ email }) => typeof email === 'string')
    .map(({ email, primary, verified }) => ({
      email: String(email),
      primary: primary === true,
      verified: verified === true,
    }))

/**
 * OAuth 2.0 client without OpenID Connect: there is no signed token that identifies the user, so
 * the provider is queried with the access token it just issued.
 */
export class PlainOAuthClient implements ProviderClient {
  readonly #provider: Provider
  readonly #addresses: PlainAddresses
  readonly #send: SignInFetch

  constructor(provider: Provider, addresses: PlainAddresses, fetch: SignInFetch) {
    this.#provider = provider
    this.#addresses = addresses
    this.#send = fetch
  }

  issuer(): Promise<string> {
    return Promise.resolve(new URL(this.#addresses.authorize).origin)
  }

  begin({ state, verifier, redirectUri }: Flow, trace: Trace): Promise<URL> {
    trace.skip('discovery', 'This provider has no description.')
    const url = new URL(this.#addresses.authorize)
    const challenge = hash('sha256', verifier, 'base64url')
    const { clientId, scope } = this.#provider
    const params = {
      client_id: clientId,
      redirect_uri: redirectUri,
      scope,
      state,
      response_type: 'code',
    }
    for (const [name, value] of Object.entries({
      ...params,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }))
      url.searchParams.set(name, value)
    return Promise.resolve(url)
  }

  async finish(
    { verifier, redirectUri }: Flow,
    returned: Returned,
    { trace }: Pick<FinishOptions, 'trace'>,
  ): Promise<SignedIn> {
    const issuer = await this.issuer()
    if (returned.iss !== undefined && returned.iss !== issuer)
      throw new SignInFailure(
        'callback',
        'The answer came from another provider than the one that was asked. Begin anew.',
        {
          detail: `The answer is that of ${JSON.stringify(returned.iss).slice(0, 300)}, and not of ${issuer}.`,
        },
      )
    if (returned.error !== undefined) throw toRefusal(returned.error, this.#provider)
    trace.pass('authorization', 'The person signed in at the provider.')
    if (returned.code === undefined)
      throw new SignInFailure('callback', 'The sign-in was not finished. Begin anew.', {
        detail: 'The answer has no code.',
      })
    trace.pass('callback', 'The browser came back with a code.')
    const tokens = await this.#askTokens({
      grant_type: 'authorization_code',
      code: returned.code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    })
    trace.pass('token', 'The provider exchanged the code for tokens.')
    trace.skip('id_token', 'This provider signs nothing.')
    const person = await this.#askPerson(tokens.access_token)
    trace.pass('userinfo', 'The provider said who the person is.')
    return { ...person, tokens, sid: null }
  }

  async renew(tokens: ProviderTokens): Promise<ProviderTokens> {
    const renewed = await this.#askTokens({
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token ?? '',
    })
    return { ...renewed, refresh_token: renewed.refresh_token ?? tokens.refresh_token }
  }

  /** Only the provider can tell for which application a token was issued, at a separate URL. */
  async identify(accessToken: string): Promise<Person> {
    const { clientId, clientSecret } = this.#provider
    const proof = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    const { status } = await this.#ask(
      'token',
      `${this.#api()}/applications/${encodeURIComponent(clientId)}/token`,
      {
        method: 'POST',
        headers: { authorization: `Basic ${proof}`, 'content-type': 'application/json' },
        body: JSON.stringify({ access_token: accessToken }),
      },
    )
    if (status !== 200)
      throw new SignInFailure(
        'account',
        'This token was not made for this gateway, or is not valid any more.',
        {
          detail: `The provider answered ${status} when it was asked for whom the token was made.`,
        },
      )
    return this.#askPerson(accessToken)
  }

  signOutAddress(): Promise<null> {
    return Promise.resolve(null)
  }

  verifyToken(): Promise<never> {
    return Promise.reject(new SignInFailure('id_token', 'This provider signs no tokens.'))
  }

  #api(): string {
    return this.#addresses.api.replace(/\/+$/, '')
  }

  async #ask(
    step: OAuthStep,
    url: string,
    init: RequestInit,
  ): Promise<{ status: number; body: unknown }> {
    try {
      const headers = {
        accept: 'application/json',
        'user-agent': 'ChatGateway',
        ...(init.headers as Record<string, string>),
      }
      const reply = await this.#send(url, { redirect: 'manual', ...init, headers })
      const bytes = Buffer.from(await reply.arrayBuffer())
      return { status: reply.status, body: reply.ok ? parseJson(bytes) : null }
    } catch (error) {
      throw toFailure(step, error, this.#provider)
    }
  }

  async #askTokens(params: Record<string, string>): Promise<ProviderTokens> {
    const { clientId, clientSecret } = this.#provider
    const { status, body } = await this.#ask('token', this.#addresses.token, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        client_id: clientId,
        client_secret: clientSecret,
        ...params,
      }).toString(),
    })
    const claims: Claims = isRecord(body) ? body : {}
    const token = readText(claims, 'access_token')
    if (token === null) {
      // This provider refuses requests with status 200 and the reason in the body.
      const known: Record<string, string> = {
        incorrect_client_credentials: 'invalid_client',
        bad_verification_code: 'invalid_grant',
      }
      const word = readText(claims, 'error') ?? `http_${status}`
      throw toFailure(
        'token',
        Object.assign(new Error(word), { error: ownValue(known, word) ?? word, status }),
        this.#provider,
      )
    }
    const lifetime = Number(readText(claims, 'expires_in') ?? Number.NaN)
    return {
      access_token: token,
      token_type: readText(claims, 'token_type') ?? 'bearer',
      id_token: null,
      refresh_token: readText(claims, 'refresh_token'),
      scope: readText(claims, 'scope'),
      expires_at:
        Number.isFinite(lifetime) && lifetime > 0 ? nowSeconds() + Math.floor(lifetime) : null,
    }
  }

  async #askPerson(accessToken: string): Promise<Person> {
    const headers = { authorization: `Bearer ${accessToken}` }
    const user = await this.#ask('userinfo', `${this.#api()}/user`, { headers })
    const emails = await this.#ask('userinfo', `${this.#api()}/user/emails`, { headers })
    const id = isRecord(user.body) ? readText(user.body, 'id') : null
    if (!isRecord(user.body) || id === null)
      throw new SignInFailure(
        'userinfo',
        `${this.#provider.name} did not say who you are. Try again, or tell an administrator.`,
        {
          detail: `The provider answered ${user.status} at /user${user.status === 200 ? ', without an id' : ''}.`,
          remedy: 'Check the address of its API.',
          settings: ['IDPC_API_URL'],
        },
      )
    if (emails.body === null)
      throw new SignInFailure(
        'userinfo',
        `${this.#provider.name} did not tell your e-mail address. Ask an administrator.`,
        {
          detail: `The provider answered ${emails.status} at /user/emails.`,
          remedy: 'Ask for the scope that shows verified addresses, such as user:email.',
          settings: ['IDPC_OAUTH_SCOPE'],
        },
      )
    const known = toEmails(emails.body).toSorted(
      (one, other) => Number(other.primary) - Number(one.primary),
    )
    const address = known.find(({ verified }) => verified) ?? known[0]
    const name = readText(user.body, 'name') ?? readText(user.body, 'login')
    return {
      identity: { issuer: await this.issuer(), subject: id },
      claims: {
        ...user.body,
        sub: id,
        name,
        picture: readText(user.body, 'avatar_url'),
        email: address?.email ?? null,
        email_verified: address?.verified ?? false,
      },
    }
  }
}
