import type { Session } from 'electron'

/**
 * Signs in the window's session: a single-use code arrives over the process channel and is
 * exchanged for the HttpOnly cookie, in a request body so that it appears in no URL or log.
 * Resolves with the half of the session the page stores.
 */
export async function signIn(
  session: Session,
  origin: string,
  requestCode: () => Promise<string>,
): Promise<string> {
  const code = await requestCode()
  const response = await session.fetch(`${origin}/api/v1/auths/desktop`, {
    method: 'POST',
    credentials: 'include',
    redirect: 'error',
    headers: { 'Content-Type': 'application/json', Origin: origin },
    body: JSON.stringify({ code }),
  })
  const key = response.headers.get('X-Session-Key')
  if (!response.ok || key === null)
    throw new Error(`The gateway refused to sign the window in (${response.status}).`)
  return key
}
