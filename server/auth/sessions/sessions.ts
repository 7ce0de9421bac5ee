import { hash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { newId, nowSeconds } from '../../lib/ids.ts'
import type { AuthSettings } from '../auth-settings.ts'
import type { UserRecord } from '../../users/index.ts'
import { parseDuration } from './parse-duration.ts'
import type { Revocations } from '../single-sign-on/revocations.ts'
import type { RevokedTokenStore } from '../store.ts'

/** Content of a session token. `ver` must equal the account's token version. */
export interface SessionClaims {
  readonly id: string
  readonly jti: string
  readonly iat: number
  readonly exp: number | null
  readonly ver: number
  /**
   * Hash of the second half, in the token of a browser's cookie. Null for a token that is a
   * complete credential.
   */
  readonly keyHash: string | null
}

/** A newly issued token. */
export interface IssuedSession {
  readonly token: string
  readonly jti: string
  readonly issuedAt: number
  readonly expiresAt: number | null
}

/**
 * Identifies the surface a token is valid for, so that one issued for another purpose is refused.
 */
const AUDIENCE = 'chat-gateway/api'
const BROWSER_AUDIENCE = 'chat-gateway/browser'
const ALGORITHM = 'HS256'
const TYPE = 'JWT'
const DEFAULT_LIFETIME = '4w'
/**
 * Tolerance in seconds. Tokens are dated by this clock only: setting it back by an hour must not
 * end all sessions, while a token from further ahead is refused.
 */
const TOLERANCE_SECONDS = 90 * 60
const MOST_SEEN = 5000

const digest = (token: string): string => hash('sha256', token, 'base64')

function toClaims(payload: Record<string, unknown>): SessionClaims | null {
  const { id, jti, iat, exp = null, ver, aud, key_hash = null } = payload
  const isComplete =
    typeof id === 'string' &&
    typeof jti === 'string' &&
    Number.isInteger(iat) &&
    Number.isInteger(ver)
  if (!isComplete || (exp !== null && !Number.isInteger(exp))) return null
  if (
    aud === BROWSER_AUDIENCE ? typeof key_hash !== 'string' : aud !== AUDIENCE || key_hash !== null
  )
    return null
  return {
    id,
    jti,
    iat: iat as number,
    exp: exp as number | null,
    ver: ver as number,
    keyHash: key_hash as string | null,
  }
}

/** Loaded by the first session, because it is not needed on start. */
const loadJose = () => import('jose')

async function readToken(token: string, secret: Uint8Array): Promise<SessionClaims | null> {
  const { errors, jwtVerify } = await loadJose()
  try {
    const audience = [AUDIENCE, BROWSER_AUDIENCE]
    const { payload, protectedHeader } = await jwtVerify(token, secret, {
      algorithms: [ALGORITHM],
      audience,
      typ: TYPE,
    })
    // The gateway's own tokens only have algorithm and type; a key reference in the header can only
    // be an attack.
    return Object.keys(protectedHeader).length === 2 ? toClaims(payload) : null
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

/** Used if no other gateway or provider can end sessions. */
const NOBODY: Pick<Revocations, 'covers' | 'earliest'> = Object.freeze({
  covers: () => false,
  earliest: () => 0,
})

/** Issues, checks and revokes session tokens. */
export class Sessions {
  readonly #secret: Uint8Array
  readonly #settings: AuthSettings
  readonly #revoked: RevokedTokenStore
  readonly #revocations: Pick<Revocations, 'covers' | 'earliest'>
  readonly #seen = new Map<string, SessionClaims>()

  constructor({
    secret,
    settings,
    revoked,
    revocations = NOBODY,
  }: {
    readonly secret: Uint8Array
    readonly settings: AuthSettings
    readonly revoked: RevokedTokenStore
    readonly revocations?: Pick<Revocations, 'covers' | 'earliest'>
  }) {
    this.#secret = secret
    this.#settings = settings
    this.#revoked = revoked
    this.#revocations = revocations
  }

  /** Issues a new token; `seconds` shortens its lifetime. */
  async issue(
    { id, tokenVersion: ver }: UserRecord,
    { seconds = this.#lifetime() ?? undefined }: { readonly seconds?: number } = {},
  ): Promise<IssuedSession> {
    // A token differs from revoked ones only by being one second newer.
    const issuedAt = Math.max(nowSeconds(), this.#revocations.earliest(id))
    const session = {
      jti: newId(),
      issuedAt,
      expiresAt: seconds === undefined ? null : issuedAt + seconds,
    }
    return { token: await this.#sign({ id, ver, aud: AUDIENCE }, session), ...session }
  }

  /**
   * Issues another token of the same session, for the cookie of a browser: no credential without
   * the key of the hash.
   */
  issueForBrowser(
    { id, tokenVersion: ver }: UserRecord,
    issued: IssuedSession,
    keyHash: string,
  ): Promise<string> {
    return this.#sign({ id, ver, aud: BROWSER_AUDIENCE, key_hash: keyHash }, issued)
  }

  /**
   * Returns the claims of a genuine token that has neither expired nor been signed out, else null.
   * Synchronous for cached tokens.
   */
  verify(token: string): SessionClaims | null | Promise<SessionClaims | null> {
    const key = digest(token)
    const claims = this.#seen.get(key)
    if (!claims) return this.#verifyNew(token, key)
    return this.#isAlive(claims) ? claims : null
  }

  /** Returns true if claims that were verified before are still valid. */
  isCurrent(claims: SessionClaims): boolean {
    return this.#isAlive(claims) && !this.#revoked.has(claims.jti)
  }

  async revoke(claims: Pick<SessionClaims, 'id' | 'jti' | 'exp'>): Promise<void> {
    await this.#revoked.add({ jti: claims.jti, user_id: claims.id, expires_at: claims.exp })
    await this.#revoked.purge()
    this.forgetSeen()
  }

  /**
   * Clears the token cache; must be called for every session that ends. Clears all of it, because
   * several spellings of one token decode to the same claims.
   */
  forgetSeen(): void {
    this.#seen.clear()
  }

  #lifetime(): number | null {
    const seconds = parseDuration(this.#settings.get('JWT_EXPIRES_IN'))
    return seconds === undefined ? parseDuration(DEFAULT_LIFETIME)! : seconds
  }

  #isAlive(claims: SessionClaims): boolean {
    const { iat, exp } = claims
    const now = nowSeconds()
    if (iat > now + TOLERANCE_SECONDS || this.#revocations.covers(claims)) return false
    return exp === null ? this.#lifetime() === null : exp > now
  }

  #remember(key: string, claims: SessionClaims): void {
    if (this.#seen.size >= MOST_SEEN) this.#seen.delete(this.#seen.keys().next().value!)
    this.#seen.set(key, claims)
  }

  async #verifyNew(token: string, key: string): Promise<SessionClaims | null> {
    const claims = await readToken(token, this.#secret)
    if (!claims || !this.#isAlive(claims) || this.#revoked.has(claims.jti)) return null
    this.#remember(key, claims)
    return claims
  }

  async #sign(
    claims: JWTPayload,
    { jti, issuedAt, expiresAt }: Omit<IssuedSession, 'token'>,
  ): Promise<string> {
    const { SignJWT } = await loadJose()
    const token = new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
      .setJti(jti)
      .setIssuedAt(issuedAt)
    if (expiresAt !== null) token.setExpirationTime(expiresAt)
    return token.sign(this.#secret)
  }
}
