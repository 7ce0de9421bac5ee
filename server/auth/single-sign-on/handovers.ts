import { hash } from 'node:crypto'
import { randomToken } from '../../lib/ids.ts'

const LIFETIME_MILLISECONDS = 60_000
const MOST = 10_000

/**
 * Single-use codes by which a page gets the second half of a session that began with a redirect. A
 * code is worth nothing without the cookie that was set beside it. They live in memory only.
 */
export class Handovers {
  readonly #waiting = new Map<
    string,
    { readonly jti: string; readonly key: string; readonly end: number }
  >()

  /** A code for the half of a session. */
  create(jti: string, key: string): string {
    if (this.#waiting.size >= MOST) this.#waiting.delete(this.#waiting.keys().next().value!)
    const code = randomToken()
    this.#waiting.set(hash('sha256', code), {
      jti,
      key,
      end: performance.now() + LIFETIME_MILLISECONDS,
    })
    return code
  }

  /** The half, once, for the session it belongs to; null for everything else. */
  redeem(code: string, jti: string): string | null {
    const id = hash('sha256', code)
    const found = this.#waiting.get(id)
    if (!found || found.jti !== jti) return null
    this.#waiting.delete(id)
    return performance.now() <= found.end ? found.key : null
  }
}
