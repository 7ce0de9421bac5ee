import { stringifySetCookie } from 'cookie'

export const SESSION_COOKIE = 'token'

/** The longest life browsers grant a cookie, for sessions that never end. */
const LONGEST_SECONDS = 400 * 24 * 60 * 60

/** Whether a session lives longer than its cookie, which then has to be set again now and then. */
export const outlivesCookie = (secondsLeft: number | null): boolean =>
  secondsLeft === null || secondsLeft > LONGEST_SECONDS

const attributes = { httpOnly: true, sameSite: 'lax', path: '/' } as const

/** The `Set-Cookie` value that signs a browser in. */
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

/** The `Set-Cookie` value that signs a browser out. */
export const clearedSessionCookie = (): string =>
  stringifySetCookie(SESSION_COOKIE, '', { ...attributes, maxAge: 0 })
