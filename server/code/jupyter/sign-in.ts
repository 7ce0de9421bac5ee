import { leaveBody, type OutgoingFetch } from '../../lib/outgoing/outgoing-fetch.ts'

/** Connection and time limits of a Jupyter server. */
export interface JupyterServer {
  readonly url: string
  readonly auth: string
  readonly token: string
  readonly password: string
  readonly timeoutMs: number
}

const XSRF = '_xsrf'

function takeCookies(jar: Map<string, string>, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [pair = ''] = line.split(';', 1)
    const at = pair.indexOf('=')
    if (at > 0) jar.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim())
  }
}

const writeCookies = (jar: ReadonlyMap<string, string>): Record<string, string> =>
  jar.size === 0 ? {} : { Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }

/**
 * Returns the headers that every request to the server needs. A token is sent in a header rather
 * than in the URL, which is logged. Throws an error message if the server refuses the gateway.
 */
export async function signIn(
  outgoing: OutgoingFetch,
  { url, auth, token, password }: JupyterServer,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  if (auth === 'token') return { Authorization: `token ${token}` }
  if (auth !== 'password') return {}
  const jar = new Map<string, string>()
  const page = await outgoing.fetch(`${url}/login`, { signal })
  takeCookies(jar, page)
  await leaveBody(page)
  const xsrf = jar.get(XSRF) ?? ''
  const body = new URLSearchParams({ [XSRF]: xsrf, password }).toString()
  const headers = { ...writeCookies(jar), 'Content-Type': 'application/x-www-form-urlencoded' }
  const reply = await outgoing.fetch(`${url}/login`, { method: 'POST', headers, body, signal })
  takeCookies(jar, reply)
  await leaveBody(reply)
  // The server shows the page again for a wrong password.
  if (reply.status < 300 || reply.status > 399)
    throw new Error('The Jupyter server does not accept the password.')
  return { ...writeCookies(jar), ...(xsrf !== '' && { 'X-XSRFToken': jar.get(XSRF) ?? xsrf }) }
}
