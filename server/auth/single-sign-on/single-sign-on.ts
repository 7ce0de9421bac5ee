import type { IncomingMessage } from 'node:http'
import { hash } from 'node:crypto'
import { SESSION_KEY_HEADER, type OwnSession, type Session } from '#contract/auths.ts'
import type { OAuthTest } from '#contract/oauth.ts'
import {
  ServiceError,
  forbidden,
  notFound,
  tooManyRequests,
  unauthorized,
} from '../../lib/errors.ts'
import type { HttpCall, Caller } from '../../lib/http.ts'
import { nowSeconds, randomToken } from '../../lib/ids.ts'
import type { UserRecord } from '../../users/index.ts'
import { checkOrigin } from '../origin/check-origin.ts'
import { readCookie } from '../credentials.ts'
import type { Origins } from '../origin/origins.ts'
import { sessionCookie } from '../sessions/session-cookie.ts'
import { createSessionKey, hashSessionKey, isFromPage } from '../sessions/session-key.ts'
import type { IssuedSession } from '../sessions/sessions.ts'
import type { SignInParts } from '../sign-in/sign-in-parts.ts'
import type { Throttle, ThrottleRule } from '../sign-in/throttle.ts'
import { acceptLogout, type LogoutDependencies } from './accept-logout.ts'
import { applyDecision, type ApplyDependencies } from './apply-decision.ts'
import { decideAccount, type Decision } from './decide-account.ts'
import { toFailure } from './explain-failure.ts'
import type { Live } from '../../live/index.ts'
import { createHandovers, type Handovers } from './handovers.ts'
import { sendRedirect } from './send-redirect.ts'
import { toLocalPath } from './local-path.ts'
import type { Pictures } from './pictures.ts'
import type { Flow, Person, Returned, SignedIn } from './provider-client.ts'
import { claimsToRead, toAccountOwner } from './person-claims.ts'
import type { ProviderSessions } from './provider-sessions.ts'
import type { Provider } from './providers.ts'
import { clearSignInCookies, readSessionSecret, setSignInCookies } from './sign-in-cookies.ts'
import { SignInFailure, toServiceError } from './sign-in-failure.ts'
import { findSignOutAddress } from './sign-out-address.ts'
import {
  setStateCookie,
  SIGN_IN_SECONDS,
  takeStateCookie,
  type BegunSignIn,
} from './state-cookie.ts'
import { NO_TRACE, type Trace } from './trace.ts'
import { Trials, type Trial } from './trials.ts'

export interface SingleSignOnDependencies
  extends ApplyDependencies, LogoutDependencies, Omit<SignInParts, 'apiKeys'> {
  readonly secrets: Parameters<typeof setStateCookie>[2]['secrets']
  readonly origins: Origins
  /** The other gateways on the database; absent if there are none. */
  readonly live?: Live | null
  readonly throttle: Throttle
  readonly providerSessions: ProviderSessions
  readonly pictures: Pictures
  /** Throws 403 for a user who may not create the very first account. */
  readonly requireMayBeFirst: (request: IncomingMessage) => Promise<void>
}

/**
 * Failed tries of one IP address. Every refused try costs a request to a provider, or is a guess.
 */
const FAILURES: ThrottleRule = { name: 'provider sign-in', tries: 60, seconds: 60 }

/** Maximum lifetime browsers allow for cookies, for sessions that never end. */
const LONGEST_SECONDS = 400 * 24 * 60 * 60

/** Sign-in with the account of another provider: in a browser, by a token, and as a trial. */
export class SingleSignOn {
  readonly #deps: SingleSignOnDependencies
  readonly #handovers: Handovers
  readonly #trials: Trials

  constructor(deps: SingleSignOnDependencies) {
    this.#deps = deps
    this.#handovers = createHandovers(deps.secrets, deps.live)
    this.#trials = new Trials(deps)
  }

  /** Redirects the browser to a provider. */
  async begin(call: HttpCall, providerName: string, redirect: string | undefined): Promise<void> {
    const provider = this.#require(providerName)
    this.#requireTries(call.request)
    try {
      const url = await this.#start(call, {
        provider,
        redirect: toLocalPath(redirect),
        trial: null,
      })
      sendRedirect(call, 302, url.href)
    } catch (error) {
      this.#endWithSentence(call, toFailure('discovery', error, provider))
    }
  }

  /** Handles the returning browser, and signs it in or shows the reason for failure. */
  async finish(call: HttpCall, providerName: string, returned: Returned): Promise<void> {
    const provider = this.#require(providerName)
    let trial: Trial | null = null
    try {
      this.#requireTries(call.request)
      const begun = await this.#takeBegun(call, provider, returned)
      trial = begun.trial === null ? null : await this.#trials.find(begun.trial)
      if (begun.trial !== null)
        return await this.#finishTrial(call, { provider, begun, trial, returned })
      const signedIn = await this.#ask(provider, begun.flow, returned, NO_TRACE)
      const user = await this.#admit(provider, signedIn, call.request)
      await this.#open(call, { provider, user, signedIn, redirect: begun.redirect })
    } catch (error) {
      this.#endWithSentence(call, error)
    }
  }

  /** Gives the page that a sign-in ended on the second half of its session. */
  async takeOver(call: HttpCall, code: string): Promise<OwnSession> {
    const { sessions, users, views, origins } = this.#deps
    const over = unauthorized('This sign-in is over. Begin it again.', { code: 'sign_in_over' })
    checkOrigin(call.request, origins)
    const presented = readCookie(call.request)
    const claims = presented && (await sessions.verify(presented.value))
    const user = claims && (await users.get(claims.id))
    const key = claims && (await this.#handovers.redeem(code, claims.jti))
    if (
      !claims ||
      !user ||
      user.tokenVersion !== claims.ver ||
      !key ||
      claims.keyHash !== hashSessionKey(key)
    )
      throw over
    call.response.setHeader(SESSION_KEY_HEADER, key)
    return views.ownSession(user, { token: '', expiresAt: claims.exp })
  }

  /** Opens a session for the user of a provider's access token. Creates no accounts. */
  async exchange(call: HttpCall, providerName: string, token: string): Promise<Session> {
    const { settings, views, users } = this.#deps
    if (!settings.get('ENABLE_OAUTH_TOKEN_EXCHANGE'))
      throw forbidden('Token exchange is disabled', { code: 'feature_off' })
    const provider = this.#require(providerName)
    this.#requireTries(call.request)
    try {
      const person = await this.#deps.clients.of(provider).identify(token)
      const decision = await this.#decide(provider, person, {
        mayCreate: false,
        request: call.request,
      })
      if (decision.failure) throw decision.failure
      const user = await this.#apply(provider, person, decision)
      users.touch(user.id)
      return await views.session(user, await this.#issue(call, user))
    } catch (error) {
      this.#countFailure(call.request)
      throw error instanceof SignInFailure ? toServiceError(error) : error
    }
  }

  /** Ends the sessions that a provider reports as ended. */
  async logOut(request: IncomingMessage, token: string): Promise<void> {
    this.#requireTries(request)
    try {
      for (const userId of await acceptLogout(this.#deps, token))
        await this.#deps.announceRevoked(userId)
    } catch (error) {
      this.#countFailure(request)
      this.#deps.log.warn(
        { error: error instanceof ServiceError ? (error.cause ?? error) : error },
        'a logout token was refused',
      )
      throw error
    }
  }

  /**
   * Ends the sign-in with a provider that belongs to a browser; returns the URL to redirect to, if
   * any.
   */
  async signOut(
    { request, response }: Pick<HttpCall, 'request' | 'response'>,
    userId: string | null,
  ): Promise<string | null> {
    const { providerSessions, store } = this.#deps
    clearSignInCookies(request, response)
    const secret = readSessionSecret(request)
    const session = secret === null ? null : await providerSessions.findBySecret(secret)
    if (!session || session.userId !== userId) return null
    await store.removeSession(session.id)
    return findSignOutAddress(this.#deps, session.provider, session.tokens?.id_token ?? null)
  }

  /** Starts a sign-in that changes nothing. */
  async beginTrial(
    call: HttpCall & { readonly caller: Caller },
    providerName: string,
    returnTo: string | undefined,
  ): Promise<OAuthTest & { url: string | null }> {
    const { providers } = this.#deps
    const provider = providers.read(providerName)
    if (!provider) throw notFound('Not Found')
    const trial = this.#trials.begin(
      call.caller.userId,
      provider,
      providers.redirectUri(provider.id, call.request),
    )
    try {
      if (provider.missing.length > 0)
        throw new SignInFailure('settings', 'This provider is not set up yet.', {
          detail: `${provider.missing.join(' and ')} ${provider.missing.length === 1 ? 'is' : 'are'} empty.`,
          remedy: 'Copy what is missing from the provider.',
          settings: provider.missing,
        })
      trial.pass('settings', 'Everything that is needed is set.')
      const url = await this.#start(call, { provider, redirect: toLocalPath(returnTo), trial })
      await this.#trials.save(trial)
      return { ...trial.describe(), url: url.href }
    } catch (error) {
      trial.fail(toFailure('discovery', error, provider))
      await this.#trials.save(trial)
      return { ...trial.describe(), url: null }
    }
  }

  /**
   * Returns the result of an administrator's trial; throws 404 for those of others and older ones.
   */
  async readTrial(caller: Caller, id: string): Promise<OAuthTest> {
    const trial = await this.#trials.find(id)
    if (!trial || trial.userId !== caller.userId)
      throw notFound('There is no such trial, or it is too old.')
    return trial.describe()
  }

  #require(name: string): Provider {
    const provider = this.#deps.providers.find(name)
    if (!provider) throw notFound('Not Found')
    return provider
  }

  async #start(
    { request, response }: Pick<HttpCall, 'request' | 'response'>,
    {
      provider,
      redirect,
      trial,
    }: { provider: Provider; redirect: string | null; trial: Trial | null },
  ): Promise<URL> {
    const { clients, providers, peers, secrets } = this.#deps
    const redirectUri = providers.redirectUri(provider.id, request)
    const flow: Flow = {
      state: randomToken(),
      nonce: randomToken(),
      verifier: randomToken(64),
      redirectUri,
    }
    const client = clients.of(provider)
    const url = await client.begin(flow, trial ?? NO_TRACE)
    trial?.noteIssuer(await client.issuer())
    const begun: BegunSignIn = {
      provider: provider.id,
      flow,
      redirect,
      trial: trial?.id ?? null,
      startedAt: nowSeconds(),
    }
    setStateCookie({ request, response }, begun, { secrets, isSecure: peers.isHttps(request) })
    return url
  }

  /** Returns the sign-in this browser started; it can be taken once, and by no other browser. */
  async #takeBegun(
    call: HttpCall,
    provider: Provider,
    { state = '' }: Returned,
  ): Promise<BegunSignIn> {
    const { secrets, store } = this.#deps
    const begun = takeStateCookie(call, state, secrets)
    if (!begun || begun.provider !== provider.id)
      throw new SignInFailure(
        'callback',
        'This sign-in was not begun here, or it took too long. Begin it again.',
      )
    if (
      !(await store.spend(
        'state',
        hash('sha256', state, 'base64url'),
        begun.startedAt + SIGN_IN_SECONDS,
      ))
    )
      throw new SignInFailure('callback', 'This sign-in was finished before. Begin it again.')
    return begun
  }

  #ask(provider: Provider, flow: Flow, returned: Returned, trace: Trace): Promise<SignedIn> {
    const { settings, clients } = this.#deps
    return clients.of(provider).finish(flow, returned, { ...claimsToRead(settings), trace })
  }

  async #decide(
    provider: Provider,
    person: Person,
    { mayCreate, request }: { mayCreate: boolean; request: IncomingMessage },
  ): Promise<Decision> {
    const requireMayBeFirst = async (): Promise<void> => {
      try {
        await this.#deps.requireMayBeFirst(request)
      } catch (error) {
        throw error instanceof ServiceError ? new SignInFailure('account', error.message) : error
      }
    }
    return decideAccount(this.#deps, provider, toAccountOwner(this.#deps.settings, person), {
      mayCreate,
      requireMayBeFirst,
    })
  }

  /** Returns the account of a person, which may be new. */
  async #admit(provider: Provider, person: Person, request: IncomingMessage): Promise<UserRecord> {
    const admit = async (): Promise<UserRecord> => {
      const decision = await this.#decide(provider, person, { mayCreate: true, request })
      if (decision.failure) throw decision.failure
      return this.#apply(provider, person, decision)
    }
    try {
      return await admit()
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'email_taken')) throw error
      // A simultaneous sign-in, perhaps on another gateway, created the account first.
      return admit()
    }
  }

  async #apply(provider: Provider, person: Person, decision: Decision): Promise<UserRecord> {
    const { settings, pictures } = this.#deps
    const user = await applyDecision(this.#deps, {
      provider,
      person: toAccountOwner(settings, person),
      decision,
    })
    const { picture } = decision.outcome
    const isNew = decision.account === null
    if (picture !== null && (isNew || settings.get('OAUTH_UPDATE_PICTURE_ON_LOGIN')))
      pictures.takeOver(user.id, picture)
    return user
  }

  async #issue({ request }: Pick<HttpCall, 'request'>, user: UserRecord): Promise<IssuedSession> {
    const issued = await this.#deps.sessions.issue(user)
    await this.#deps.sessionRecords.add(user, issued, request)
    return issued
  }

  /**
   * Signs the browser in. Another client that acts as one gets its complete token as the cookie, as
   * from every other sign-in.
   */
  async #open(
    call: HttpCall,
    {
      provider,
      user,
      signedIn,
      redirect,
    }: { provider: Provider; user: UserRecord; signedIn: SignedIn; redirect: string | null },
  ): Promise<void> {
    const { sessions, places, users, peers, settings, providerSessions, store } = this.#deps
    const { request, response } = call
    const issued = await this.#issue(call, user)
    const secondsLeft =
      issued.expiresAt === null ? LONGEST_SECONDS : issued.expiresAt - nowSeconds()
    const options = { secondsLeft, secure: peers.isHttps(request) }
    const key = isFromPage(request) ? createSessionKey() : null
    const token =
      key === null
        ? issued.token
        : await sessions.issueForBrowser(user, issued, hashSessionKey(key))
    response.appendHeader('Set-Cookie', sessionCookie(token, options))
    // The new sign-in ends the one this browser had before.
    const former = readSessionSecret(request)
    const left = former === null ? null : await providerSessions.findBySecret(former)
    if (left) await store.removeSession(left.id)
    const idToken = settings.get('ENABLE_OAUTH_ID_TOKEN_COOKIE') ? signedIn.tokens.id_token : null
    setSignInCookies(
      response,
      { secret: await providerSessions.open(user.id, provider, signedIn), idToken },
      options,
    )
    await places.remember({ account: user.id, userId: user.id, request, response })
    users.touch(user.id)
    const query = redirect === null ? '' : `?redirect=${encodeURIComponent(redirect)}`
    const fragment = key === null ? '' : `#code=${this.#handovers.create(issued.jti, key)}`
    sendRedirect(call, 307, `${this.#deps.providers.baseOf(request)}/auth${query}${fragment}`)
  }

  async #finishTrial(
    call: HttpCall,
    {
      provider,
      begun,
      trial,
      returned,
    }: { provider: Provider; begun: BegunSignIn; trial: Trial | null; returned: Returned },
  ): Promise<void> {
    if (!trial) throw new SignInFailure('callback', 'This trial is over. Begin it again.')
    try {
      const signedIn = await this.#ask(provider, begun.flow, returned, trial)
      trial.noteClaims(signedIn.claims)
      const decision = await this.#decide(provider, signedIn, {
        mayCreate: true,
        request: call.request,
      })
      trial.finish(decision.outcome, decision.failure)
    } catch (error) {
      trial.fail(toFailure('callback', error, provider))
    }
    await this.#trials.save(trial)
    const url = new URL(begun.redirect ?? '/admin/settings', 'http://gateway.invalid')
    url.searchParams.set('oauth_test', trial.id)
    sendRedirect(
      call,
      307,
      `${this.#deps.providers.baseOf(call.request)}${url.pathname}${url.search}`,
    )
  }

  #requireTries(request: IncomingMessage): void {
    const seconds = this.#deps.throttle.wait(FAILURES, this.#deps.peers.limitSubject(request))
    if (seconds <= 0) return
    const text = `Too many failed sign-ins from your address. ${FAILURES.tries} in ${FAILURES.seconds} seconds are looked at, which is fixed. Try again in ${seconds} seconds.`
    throw tooManyRequests(text, seconds)
  }

  #countFailure(request: IncomingMessage): void {
    this.#deps.throttle.count(FAILURES, this.#deps.peers.limitSubject(request))
  }

  /**
   * Every failed sign-in ends on the sign-in page, with a text of the gateway and never with the
   * received one.
   */
  #endWithSentence(call: HttpCall, error: unknown): void {
    if (!(error instanceof SignInFailure || error instanceof ServiceError)) throw error
    this.#countFailure(call.request)
    const facts =
      error instanceof SignInFailure
        ? { step: error.step, detail: error.detail, remedy: error.remedy, cause: error.cause }
        : {}
    this.#deps.log.warn(
      { ...facts, error: error.cause ?? error },
      'a sign-in with a provider failed',
    )
    const base = this.#deps.providers.baseOf(call.request)
    sendRedirect(call, 307, `${base}/auth?error=${encodeURIComponent(error.message)}`)
  }
}
