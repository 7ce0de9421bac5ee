import { createHash } from 'node:crypto'
import type { Configuration, TokenEndpointResponse } from 'openid-client'
import { nowSeconds } from '../../lib/ids.ts'
import type { SignInFetch } from '../../lib/outgoing/sign-in-fetch.ts'
import { CLOCK_SECONDS, discover, loadJose, loadOpenId, type Description } from './discover.ts'
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
import { readClaim, type Claims } from './read-claims.ts'
import { SignInFailure } from './sign-in-failure.ts'
import type { Trace } from './trace.ts'

/** Algorithms with a key that only the provider has; a shared secret may be known elsewhere. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]
const DESCRIPTION_SECONDS = 3600
const EXCHANGED = 'The provider exchanged the code for tokens.'
/** Parameters set by the gateway; an administrator cannot replace them. */
const OWN_PARAMS =
  /^(state|nonce|redirect_uri|client_id|response_type|response_mode|scope|code_challenge|code_challenge_method|request|request_uri)$/i

const toTokens = (reply: TokenEndpointResponse, before: ProviderTokens | null): ProviderTokens => ({
  access_token: reply.access_token,
  token_type: reply.token_type,
  id_token: reply.id_token ?? before?.id_token ?? null,
  // Providers that rotate refresh tokens send the new one; others continue to accept the current
  // one.
  refresh_token: reply.refresh_token ?? before?.refresh_token ?? null,
  scope: reply.scope ?? before?.scope ?? null,
  expires_at: reply.expires_in === undefined ? null : nowSeconds() + reply.expires_in,
})

/** Returns the left half of a hash of the access token, which the ID token may be bound to. */
function hashAccessToken(token: string, algorithm: string): string {
  const digest = createHash(
    /512$|^Ed/.test(algorithm) ? 'sha512' : algorithm.endsWith('384') ? 'sha384' : 'sha256',
  )
    .update(token)
    .digest()
  return digest.subarray(0, digest.length / 2).toString('base64url')
}

/** OpenID Connect client of one provider with fixed settings. */
export class OpenIdClient implements ProviderClient {
  readonly #provider: Provider
  readonly #send: SignInFetch
  readonly #seconds: () => number
  #description: Promise<Description> | null = null

  constructor(
    provider: Provider,
    { fetch, seconds }: { readonly fetch: SignInFetch; readonly seconds: () => number },
  ) {
    this.#provider = provider
    this.#send = fetch
    this.#seconds = seconds
  }

  async issuer(): Promise<string> {
    return (await this.#describe()).configuration.serverMetadata().issuer
  }

  async begin({ state, nonce, verifier, redirectUri }: Flow, trace: Trace): Promise<URL> {
    const { configuration } = await this.#describe()
    trace.pass('discovery', `${configuration.serverMetadata().issuer} describes itself.`)
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await loadOpenId()
    const { scope, params } = this.#provider
    const extra = Object.entries(params).filter(([name]) => !OWN_PARAMS.test(name))
    return buildAuthorizationUrl(configuration, {
      ...Object.fromEntries(extra),
      redirect_uri: redirectUri,
      scope,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
  }

  async finish(flow: Flow, returned: Returned, options: FinishOptions): Promise<SignedIn> {
    const description = await this.#describe()
    const { reply, claims } = await this.#exchangeCode(description, flow, returned, options.trace)
    const subject = String(claims['sub'])
    const all = await this.#completeClaims(description, { reply, claims, subject }, options)
    const sid = readClaim(claims, 'sid')
    return {
      identity: { issuer: description.configuration.serverMetadata().issuer, subject },
      claims: all,
      tokens: toTokens(reply, null),
      sid: typeof sid === 'string' && sid !== '' ? sid : null,
    }
  }

  async renew(tokens: ProviderTokens): Promise<ProviderTokens> {
    const { configuration } = await this.#describe()
    const { refreshTokenGrant } = await loadOpenId()
    try {
      const reply = await refreshTokenGrant(configuration, tokens.refresh_token ?? '')
      if (reply.id_token !== undefined) await this.verifyToken(reply.id_token)
      return toTokens(reply, tokens)
    } catch (error) {
      throw toFailure('token', error, this.#provider)
    }
  }

  /**
   * @NOTE A token issued for another application of the same provider is refused: only its
   *   introspection, or its signed content, tells for which application it was issued.
   */
  async identify(accessToken: string): Promise<Person> {
    const { configuration } = await this.#describe()
    const metadata = configuration.serverMetadata()
    const isOurs = metadata.introspection_endpoint
      ? await this.#introspect(configuration, accessToken)
      : await this.#isSignedForUs(accessToken)
    if (!isOurs)
      throw new SignInFailure(
        'account',
        'This token was not made for this gateway. Ask the provider for one with its client id.',
        {
          detail: 'Nothing says that the token was made for the client id of this gateway.',
        },
      )
    const claims = await this.#askUserInfo(configuration, accessToken, null)
    const subject = readClaim(claims, 'sub')
    if (typeof subject !== 'string' || subject === '')
      throw new SignInFailure('userinfo', 'The provider did not say whose token this is.', {
        detail: 'The claim sub is missing.',
      })
    return { identity: { issuer: metadata.issuer, subject }, claims }
  }

  async signOutAddress(idToken: string | null, returnTo: string): Promise<string | null> {
    const { configuration } = await this.#describe()
    if (!configuration.serverMetadata().end_session_endpoint) return null
    const { buildEndSessionUrl } = await loadOpenId()
    return buildEndSessionUrl(configuration, {
      ...(idToken !== null && { id_token_hint: idToken }),
      ...(returnTo !== '' && { post_logout_redirect_uri: returnTo }),
    }).href
  }

  async verifyToken(
    token: string,
  ): Promise<{ payload: Claims; type: string | undefined; algorithm: string }> {
    const { configuration, keys } = await this.#describe()
    const { jwtVerify } = await loadJose()
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      issuer: configuration.serverMetadata().issuer,
      audience: this.#provider.clientId,
      clockTolerance: CLOCK_SECONDS,
      requiredClaims: ['iat'],
    })
    if (payload.iat! > nowSeconds() + CLOCK_SECONDS)
      throw new SignInFailure(
        'id_token',
        `The answer of ${this.#provider.name} could not be trusted. Try again, or tell an administrator.`,
        {
          detail: `The token was made ${payload.iat! - nowSeconds()} seconds from now.`,
          remedy:
            'The clocks of gateway and provider differ by more than a minute. Set both by a time server.',
        },
      )
    return { payload, type: protectedHeader.typ, algorithm: protectedHeader.alg }
  }

  /** Returns the metadata of the provider, read again after an hour; a failure is not cached. */
  async #describe(): Promise<Description> {
    const known = this.#description && (await this.#description.catch(() => null))
    if (known && known.readAt + DESCRIPTION_SECONDS > nowSeconds()) return known
    const reading = discover(this.#provider, this.#send, this.#seconds())
    this.#description = reading
    try {
      return await reading
    } catch (error) {
      if (this.#description === reading) this.#description = null
      throw toFailure('discovery', error, this.#provider)
    }
  }

  async #exchangeCode(
    { configuration }: Description,
    { state, nonce, verifier, redirectUri }: Flow,
    returned: Returned,
    trace: Trace,
  ): Promise<{ reply: TokenEndpointResponse; claims: Claims }> {
    const { issuer, authorization_response_iss_parameter_supported: saysIssuer } =
      configuration.serverMetadata()
    if (returned.iss === undefined ? saysIssuer === true : returned.iss !== issuer)
      throw new SignInFailure(
        'callback',
        'The answer came from another provider than the one that was asked. Begin anew.',
        {
          detail: `The answer is that of ${JSON.stringify(returned.iss ?? null).slice(0, 300)}, and not of ${issuer}.`,
          remedy:
            'Somebody may have tried to mix up two providers. If it happens again, look whether both share an address.',
        },
      )
    if (returned.error !== undefined) throw toRefusal(returned.error, this.#provider)
    trace.pass('authorization', 'The person signed in at the provider.')
    const { code } = returned
    if (code === undefined)
      throw new SignInFailure('callback', 'The sign-in was not finished. Begin anew.', {
        detail: 'The answer has no code.',
      })
    trace.pass('callback', 'The browser came back with a code.')

    const openId = await loadOpenId()
    const url = new URL(redirectUri)
    for (const [name, value] of Object.entries({ code, state, iss: returned.iss }))
      if (value !== undefined) url.searchParams.set(name, value)
    let reply: Awaited<ReturnType<typeof openId.authorizationCodeGrant>>
    try {
      reply = await openId.authorizationCodeGrant(configuration, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
    } catch (error) {
      // The same call also checks the ID token; other errors are refusals of the token endpoint.
      if (!isAboutIdToken(error)) throw toFailure('token', error, this.#provider)
      trace.pass('token', EXCHANGED)
      throw toFailure('id_token', error, this.#provider)
    }
    trace.pass('token', EXCHANGED)
    const claims = await this.#verifyIdToken(reply)
    trace.pass('id_token', 'Signature, issuer, audience, time and nonce of the ID token are right.')
    return { reply, claims }
  }

  async #verifyIdToken(reply: TokenEndpointResponse): Promise<Claims> {
    const fail = (detail: string, remedy?: string): SignInFailure =>
      new SignInFailure(
        'id_token',
        `The answer of ${this.#provider.name} could not be trusted. Try again, or tell an administrator.`,
        {
          detail,
          ...(remedy !== undefined && { remedy }),
        },
      )
    try {
      const { payload, algorithm } = await this.verifyToken(reply.id_token ?? '')
      const bound = readClaim(payload, 'at_hash')
      if (bound !== undefined && bound !== hashAccessToken(reply.access_token, algorithm))
        throw fail('The ID token belongs to another access token.')
      if (typeof payload['sub'] !== 'string' || payload['sub'] === '')
        throw fail('The ID token says nobody (claim sub).')
      const { tenant } = this.#provider
      if (
        tenant !== null &&
        readClaim(payload, 'tid') !== undefined &&
        readClaim(payload, 'tid') !== tenant
      )
        throw fail(
          'The person belongs to another tenant.',
          'Only people of the tenant that is set may sign in.',
        )
      return payload
    } catch (error) {
      throw toFailure('id_token', error, this.#provider)
    }
  }

  /**
   * Returns the claims of the ID token, completed by those of the userinfo endpoint if some are
   * missing.
   */
  async #completeClaims(
    { configuration }: Description,
    { reply, claims, subject }: { reply: TokenEndpointResponse; claims: Claims; subject: string },
    { needed, wanted, trace }: FinishOptions,
  ): Promise<Claims> {
    const missingOf = (names: readonly string[]) =>
      names.filter((name) => name !== '' && readClaim(claims, name) === undefined)
    const missing = missingOf([...needed, ...wanted])
    if (missing.length === 0 || !configuration.serverMetadata().userinfo_endpoint) {
      trace.skip(
        'userinfo',
        missing.length === 0
          ? 'The ID token says everything.'
          : 'The provider has no userinfo endpoint.',
      )
      return claims
    }
    try {
      const more = await this.#askUserInfo(configuration, reply.access_token, subject)
      trace.pass('userinfo', `It was asked for ${missing.join(', ')}.`)
      // The ID token is signed, so its claims take precedence.
      return { ...more, ...claims }
    } catch (error) {
      if (missingOf(needed).length > 0) throw error
      trace.skip('userinfo', `It was asked for ${missing.join(', ')} in vain.`)
      return claims
    }
  }

  async #askUserInfo(
    configuration: Configuration,
    accessToken: string,
    subject: string | null,
  ): Promise<Claims> {
    const openId = await loadOpenId()
    try {
      return {
        ...(await openId.fetchUserInfo(
          configuration,
          accessToken,
          subject ?? openId.skipSubjectCheck,
        )),
      }
    } catch (error) {
      throw toFailure('userinfo', error, this.#provider)
    }
  }

  async #introspect(configuration: Configuration, accessToken: string): Promise<boolean> {
    const { tokenIntrospection } = await loadOpenId()
    try {
      const { active, client_id: client } = await tokenIntrospection(configuration, accessToken)
      if (!active)
        throw new SignInFailure(
          'token',
          'This token is not valid, or not any more. Ask the provider for another one.',
        )
      return client === this.#provider.clientId
    } catch (error) {
      throw toFailure('token', error, this.#provider)
    }
  }

  async #isSignedForUs(accessToken: string): Promise<boolean> {
    const { configuration, keys } = await this.#describe()
    const { jwtVerify } = await loadJose()
    try {
      const { payload } = await jwtVerify(accessToken, keys, {
        algorithms: ALGORITHMS,
        issuer: configuration.serverMetadata().issuer,
        clockTolerance: CLOCK_SECONDS,
        requiredClaims: ['exp'],
      })
      const { clientId } = this.#provider
      return (payload['client_id'] ?? payload['azp'] ?? payload.aud) === clientId
    } catch {
      return false
    }
  }
}

/** Returns true if an error of the code exchange is about the ID token, not the exchange itself. */
function isAboutIdToken(error: unknown): boolean {
  for (
    let each = error, depth = 0;
    each instanceof Error && depth < 5;
    each = each.cause, depth += 1
  ) {
    if (/\bJWT\b|\bJWS\b|ID Token|id_token/i.test(each.message)) return true
    if ('code' in each && /JWT|JWS/.test(String(each.code))) return true
  }
  return false
}
