import { createHash } from 'node:crypto'
import { randomToken } from '../lib/ids.ts'

const LIFETIME_MS = 60_000
const MOST_CODES = 20

/** Single-use codes that sign in the window of the desktop app. They live in memory only. */
export interface DesktopCodes {
  create(): string
  /** True once for each code, within a minute. */
  redeem(code: string): boolean
}

export function createDesktopCodes(): DesktopCodes {
  const endsAt = new Map<string, number>()
  const digest = (code: string): string => createHash('sha256').update(code).digest('base64')
  return {
    create: () => {
      if (endsAt.size >= MOST_CODES) endsAt.delete(endsAt.keys().next().value!)
      const code = randomToken()
      endsAt.set(digest(code), performance.now() + LIFETIME_MS)
      return code
    },
    redeem: (code) => {
      const key = digest(code)
      const end = endsAt.get(key)
      endsAt.delete(key)
      return end !== undefined && performance.now() <= end
    },
  }
}
