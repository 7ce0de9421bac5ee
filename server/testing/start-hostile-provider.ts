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

/** Writes an answer of any form. */
function write(response: ServerResponse, found: Answer | { redirect: string }): void {
  if (typeof found === 'function') return found(response)
  if (typeof found === 'object' && 'redirect' in found)
    return void response.writeHead(302, { Location: String(found.redirect) }).end()
  const body = typeof found === 'string' || Buffer.isBuffer(found) ? found : JSON.stringify(found)
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(body)
}

/** Returns the metadata of an honest provider. */
const describe = (url: string): Record<string, unknown> => ({
  issuer: url,
  authorization_endpoint: `${url}/auth`,
  token_endpoint: `${url}/token`,
  jwks_uri: `${url}/jwks`,
  userinfo_endpoint: `${url}/me`,
  id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none', 'ES256'],
})

type Answer = Record<string, unknown> | string | Buffer | ((response: ServerResponse) => void)

type Keys = Awaited<ReturnType<typeof createKeys>>

/** Creates the key of the provider, its public key as listed, and a foreign key. */
async function createKeys() {
  const own = await generateKeyPair('RS256', { extractable: true })
  const stranger = await generateKeyPair('RS256', { extractable: true })
  const publicKey = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' }
  return { own: own.privateKey, stranger: stranger.privateKey, publicKey }
}

const signAs = (
  claims: JWTPayload,
  header: Record<string, unknown>,
  key: Keys['own'],
): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'own', ...header }).sign(key)

/** Returns the false data of a test: see `HostileProvider`. */
const createLies = ({ own, publicKey }: Keys) => ({
  claims: {} as JWTPayload,
  metadata: {} as Record<string, unknown>,
  keys: [publicKey] as Record<string, unknown>[],
  answers: new Map<string, Answer>(),
  /** Parameters of the URL the browser is redirected to, besides code and state. */
  returned: {} as Record<string, string>,
  sign: (claims: JWTPayload): Promise<string> | string => signAs(claims, {}, own),
})

interface State extends ReturnType<typeof createLies> {
  nonce: string
  readonly requests: { path: string; body: string; headers: IncomingMessage['headers'] }[]
}

/** Returns the claims of an ID token; those a test set to `undefined` are absent. */
function toClaims(url: string, { nonce, claims }: State): JWTPayload {
  const seconds = Math.floor(Date.now() / 1000)
  const all = {
    iss: url,
    aud: CLIENT.id,
    sub: 'eve',
    email: 'eve@example.com',
    name: 'Eve',
    nonce,
    iat: seconds,
    exp: seconds + 600,
    ...claims,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** The sign-in page, which redirects the browser back with a code immediately. */
function signIn(state: State, query: URLSearchParams): { redirect: string } {
  state.nonce = query.get('nonce') ?? ''
  const back = new URL(query.get('redirect_uri')!)
  const returned = { code: 'code', state: query.get('state')!, ...state.returned }
  for (const [name, value] of Object.entries(returned)) back.searchParams.set(name, value)
  return { redirect: back.href }
}

async function answer(url: string, state: State, path: string): Promise<Answer> {
  const chosen = state.answers.get(path)
  if (chosen !== undefined) return chosen
  switch (path) {
    case '/.well-known/openid-configuration':
      return { ...describe(url), ...state.metadata }
    case '/jwks':
      return { keys: state.keys }
    case '/token':
      return {
        access_token: 'access',
        token_type: 'Bearer',
        expires_in: 60,
        id_token: await state.sign(toClaims(url, state)),
      }
    case '/me':
      return { sub: 'eve', email: 'eve@example.com' }
    default:
      return (response) => void response.writeHead(404).end()
  }
}

/**
 * Starts an OpenID provider that misbehaves as a test requires. Its sign-in page responds
 * immediately with a code; `claims` are included in the ID token, `sign` creates the token from
 * them, and `answers` replace the response of a path.
 */
export async function startHostileProvider() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const keys = await createKeys()
  const state: State = { ...createLies(keys), nonce: '', requests: [] }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', url)
    state.requests.push({ path, body: await text(request), headers: request.headers })
    const isSignIn = path === '/auth' && !state.answers.has(path)
    write(response, isSignIn ? signIn(state, searchParams) : await answer(url, state, path))
  }
  server.on('request', (request, response) => void serve(request, response))
  return {
    url,
    discoveryUrl: `${url}/.well-known/openid-configuration`,
    state,
    sign: (claims: JWTPayload, header: Record<string, unknown> = {}, key = keys.own) =>
      signAs(claims, header, key),
    stranger: keys.stranger,
    publicKey: keys.publicKey,
    reset: (): void => void Object.assign(state, createLies(keys)),
    close: () => stop(server),
  }
}

export type HostileProvider = Awaited<ReturnType<typeof startHostileProvider>>
