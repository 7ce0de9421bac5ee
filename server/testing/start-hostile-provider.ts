import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { CLIENT } from './start-open-id-provider.ts'

async function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}

/** Writes an answer, whatever form it has. */
function write(response: ServerResponse, found: Answer | { redirect: string }): void {
  if (typeof found === 'function') return found(response)
  if (typeof found === 'object' && 'redirect' in found)
    return void response.writeHead(302, { Location: String(found.redirect) }).end()
  const body = typeof found === 'string' || Buffer.isBuffer(found) ? found : JSON.stringify(found)
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(body)
}

/** What a provider says of itself that means no harm. */
const describe = (url: string): Record<string, unknown> => ({
  issuer: url,
  authorization_endpoint: `${url}/auth`,
  token_endpoint: `${url}/token`,
  jwks_uri: `${url}/jwks`,
  userinfo_endpoint: `${url}/me`,
  id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none', 'ES256'],
})

type Answer = Record<string, unknown> | string | Buffer | ((response: ServerResponse) => void)

/**
 * An OpenID provider that lies as a test wants. Its sign-in page answers at once with a code;
 * `claims` go into the ID token, `sign` makes the token out of them, and whatever stands in
 * `answers` is answered at a path.
 */
export async function startHostileProvider() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const own = await generateKeyPair('RS256', { extractable: true })
  const stranger = await generateKeyPair('RS256', { extractable: true })
  const publicKey = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' }
  const seconds = (): number => Math.floor(Date.now() / 1000)

  const state = {
    claims: {} as JWTPayload,
    metadata: {} as Record<string, unknown>,
    keys: [publicKey] as Record<string, unknown>[],
    answers: new Map<string, Answer>(),
    /** What comes back with the browser besides code and state. */
    returned: {} as Record<string, string>,
    nonce: '',
    requests: [] as { path: string; body: string; headers: IncomingMessage['headers'] }[],
    sign: (claims: JWTPayload): Promise<string> | string => sign(claims),
  }
  const sign = (
    claims: JWTPayload,
    header: Record<string, unknown> = {},
    key: typeof own.privateKey = own.privateKey,
  ): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'own', ...header }).sign(key)
  const idClaims = (): JWTPayload => ({
    iss: url,
    aud: CLIENT.id,
    sub: 'eve',
    email: 'eve@example.com',
    name: 'Eve',
    nonce: state.nonce,
    iat: seconds(),
    exp: seconds() + 600,
    ...state.claims,
  })

  async function answer(
    path: string,
    query: URLSearchParams,
  ): Promise<Answer | { redirect: string }> {
    const chosen = state.answers.get(path)
    if (chosen !== undefined) return chosen
    if (path === '/.well-known/openid-configuration') return { ...describe(url), ...state.metadata }
    if (path === '/jwks') return { keys: state.keys }
    if (path === '/token') {
      const claims = Object.fromEntries(
        Object.entries(idClaims()).filter(([, value]) => value !== undefined),
      )
      return {
        access_token: 'access',
        token_type: 'Bearer',
        expires_in: 60,
        id_token: await state.sign(claims),
      }
    }
    if (path === '/me') return { sub: 'eve', email: 'eve@example.com' }
    if (path === '/auth') {
      state.nonce = query.get('nonce') ?? ''
      const back = new URL(query.get('redirect_uri')!)
      for (const [name, value] of Object.entries({
        code: 'code',
        state: query.get('state')!,
        ...state.returned,
      }))
        back.searchParams.set(name, value)
      return { redirect: back.href }
    }
    return (response) => void response.writeHead(404).end()
  }
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    state.requests.push({ path: pathname, body: await text(request), headers: request.headers })
    write(response, await answer(pathname, searchParams))
  }
  server.on('request', (request, response) => void serve(request, response))
  return {
    url,
    discoveryUrl: `${url}/.well-known/openid-configuration`,
    state,
    sign,
    stranger: stranger.privateKey,
    publicKey,
    reset(): void {
      Object.assign(state, {
        claims: {},
        metadata: {},
        keys: [publicKey],
        answers: new Map(),
        returned: {},
        sign: (claims: JWTPayload) => sign(claims),
      })
    },
    close: () => stop(server),
  }
}

export type HostileProvider = Awaited<ReturnType<typeof startHostileProvider>>
