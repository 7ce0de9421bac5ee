import type { IncomingMessage } from 'node:http'
import { SESSION_KEY_HEADER, type Session } from '#contract/auths.ts'
import type { HttpCall } from '../../lib/http.ts'
import { nowSeconds } from '../../lib/ids.ts'
import type { UserRecord } from '../../users/index.ts'
import type { AuthRouteDependencies } from '../sign-in/auth-route.ts'
import type { PresentedSession } from './read-session.ts'
import { clearedSessionCookie, outlivesCookie, sessionCookie } from './session-cookie.ts'
import { createSessionKey, hashSessionKey, isFromBrowser } from './session-key.ts'
import type { IssuedSession } from './sessions.ts'

const secondsUntil = (expiresAt: number | null): number | null =>
  expiresAt === null ? null : expiresAt - nowSeconds()

/** Opens and ends the sessions of callers, with their cookies. */
export class SessionOpener {
  readonly #deps: AuthRouteDependencies

  constructor(deps: AuthRouteDependencies) {
    this.#deps = deps
  }

  async issue(
    call: HttpCall,
    user: UserRecord,
    options: { seconds?: number } = {},
  ): Promise<IssuedSession> {
    const issued = await this.#deps.sessions.issue(user, options)
    await this.#deps.sessionRecords.add(user, issued, call.request)
    return issued
  }

  async open(
    call: HttpCall,
    user: UserRecord,
    { isBrowser, seconds }: { readonly isBrowser?: boolean; readonly seconds?: number } = {},
  ): Promise<Session> {
    const issued = await this.issue(call, user, seconds === undefined ? {} : { seconds })
    await this.setNewCookie(call, user, issued, isBrowser)
    await this.rememberPlace(call, user)
    this.#deps.users.touch(user.id)
    return this.#deps.views.session(user, issued)
  }

  async signOut({
    request,
    response,
  }: HttpCall): Promise<{ status: boolean; redirect_url?: string }> {
    const { readSession, endSession, singleSignOn, settings } = this.#deps
    const session = await readSession(request)
    response.setHeader('Set-Cookie', clearedSessionCookie())
    if (session) await endSession(session.claims)
    const away = await singleSignOn.signOut({ request, response }, session?.claims.id ?? null)
    const leadsTo = away ?? settings.get('WEBUI_AUTH_SIGNOUT_REDIRECT_URL')
    return { status: true, ...(leadsTo !== '' && { redirect_url: leadsTo }) }
  }

  /**
   * Other clients get their token as the cookie; a browser gets one that is useless without the key
   * in the header beside it.
   */
  async setNewCookie(
    call: HttpCall,
    user: UserRecord,
    issued: IssuedSession,
    isBrowser = isFromBrowser(call.request),
  ): Promise<void> {
    const { token, expiresAt } = issued
    if (!isBrowser) return this.#setCookie(call, token, expiresAt)
    const key = createSessionKey()
    const half = await this.#deps.sessions.issueForBrowser(user, issued, hashSessionKey(key))
    this.#setCookie(call, half, expiresAt)
    call.response.setHeader(SESSION_KEY_HEADER, key)
  }

  /**
   * Sets the cookie again for a caller who asks for the signed-in user, if that caller needs it.
   */
  renewCookie(call: HttpCall, session: PresentedSession): void {
    if (this.#needsCookie(session, call.request))
      this.#setCookie(call, session.token, session.claims.exp)
  }

  async rememberPlace({ request, response }: HttpCall, { id }: UserRecord): Promise<void> {
    await this.#deps.places.remember({ account: id, userId: id, request, response })
  }

  #setCookie({ request, response }: HttpCall, token: string, expiresAt: number | null): void {
    const secure = this.#deps.peers.isHttps(request)
    const cookie = sessionCookie(token, { secondsLeft: secondsUntil(expiresAt), secure })
    response.setHeader('Set-Cookie', cookie)
  }

  /**
   * A browser already has its cookie, and this response may arrive after that of another window
   * which set a newer one. A page that sends a token itself gets no cookie for it, because other
   * ports of the host would receive it too.
   */
  #needsCookie({ place, claims }: PresentedSession, request: IncomingMessage): boolean {
    if (place !== 'cookie') return !isFromBrowser(request)
    return claims.keyHash === null || outlivesCookie(secondsUntil(claims.exp))
  }
}
