import { stringifySetCookie } from 'cookie'

export const SESSION_COOKIE = 'token'

/** Maximum lifetime browsers allow for a cookie, for sessions that never end. */
const LONGEST_SECONDS = 400 * 24 * 60 * 60

/**
 * Returns true if a session lives longer than its cookie, which must then be set again from time to
 * time.
 */
export const outlivesCookie = (secondsLeft: number | null): boolean =>
  secondsLeft === null || secondsLeft > LONGEST_SECONDS

const attributes = { httpOnly: true, sameSite: 'lax', path: '/' } as const

/** Returns the `Set-Cookie` value that signs a browser in. */
export function sessionCookie(
  token: string,
  options: { secondsLeft: number | null; secure: boolean },
): string {
  const maxAge = Math.min(options.secondsLeft ?? LONGEST_SECONDS, LONGEST_SECONDS)
  return stringifySetCookie(SESSION_COOKIE, token, {
    ...attributes,
    maxAge,
    secure: options.secure,
  })
}

/** Returns the `Set-Cookie` value that signs a browser out. */
export const clearedSessionCookie = (): string =>
  stringifySetCookie(SESSION_COOKIE, '', { ...attributes, maxAge: 0 })
