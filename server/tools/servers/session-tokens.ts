import { nowSeconds } from '../../lib/ids.ts'
import type { Secrets } from '../../storage/secrets/secrets.ts'
import type { Users } from '../../users/index.ts'

const LIFETIME_SECONDS = 300
const ISSUER = 'chat-gateway/tools'
const ALGORITHM = 'HS256'

/**
 * Tokens that identify the caller to one tool server alone: no endpoint of the gateway accepts them
 * as a sign-in.
 */
export class SessionTokens {
  readonly #users: Users
  readonly #secret

  constructor(secrets: Secrets, users: Users) {
    this.#users = users
    this.#secret = secrets.derive('tool-session')
  }

  /** Issues a token valid for five minutes and for the server at this URL. */
  async issue(userId: string, audience: string): Promise<string> {
    const { SignJWT } = await import('jose')
    return new SignJWT({})
      .setProtectedHeader({ alg: ALGORITHM, typ: 'tool+jwt' })
      .setIssuer(ISSUER)
      .setSubject(userId)
      .setAudience(audience)
      .setExpirationTime(nowSeconds() + LIFETIME_SECONDS)
      .sign(this.#secret)
  }

  /**
   * Returns the user of a token; inactive for another URL, an expired token and a deleted account.
   */
  async introspect(
    token: string,
    audience: string,
  ): Promise<{ readonly active: boolean } & Record<string, unknown>> {
    const { errors, jwtVerify } = await import('jose')
    try {
      const { payload } = await jwtVerify(token, this.#secret, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience,
        typ: 'tool+jwt',
      })
      const user = payload.sub === undefined ? null : await this.#users.get(payload.sub)
      if (!user || user.role === 'pending') return { active: false }
      const { id, name, email, role } = user
      return {
        active: true,
        sub: id,
        username: name,
        email,
        role,
        aud: audience,
        exp: payload.exp,
      }
    } catch (error) {
      if (error instanceof errors.JOSEError) return { active: false }
      throw error
    }
  }
}
