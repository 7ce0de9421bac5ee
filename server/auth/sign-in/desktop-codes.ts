import { createHash } from 'node:crypto'
import { randomToken } from '../../lib/ids.ts'

const LIFETIME_MS = 60_000
const MOST_CODES = 20

const digest = (code: string): string => createHash('sha256').update(code).digest('base64')

/** Single-use codes that sign in the window of the desktop app; stored in memory only. */
export class DesktopCodes {
  readonly #endsAt = new Map<string, number>()

  create(): string {
    if (this.#endsAt.size >= MOST_CODES) this.#endsAt.delete(this.#endsAt.keys().next().value!)
    const code = randomToken()
    this.#endsAt.set(digest(code), performance.now() + LIFETIME_MS)
    return code
  }

  /** Returns true once for each code, within a minute. */
  redeem(code: string): boolean {
    const key = digest(code)
    const end = this.#endsAt.get(key)
    this.#endsAt.delete(key)
    return end !== undefined && performance.now() <= end
  }
}
