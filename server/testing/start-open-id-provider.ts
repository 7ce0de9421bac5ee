import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import type OidcProvider from 'oidc-provider'
import { createSignInMemory } from './sign-in-memory.ts'

export const CLIENT = Object.freeze({ id: 'gateway', secret: 'the secret of the gateway' })
const CLAIMS = ['name', 'picture', 'roles', 'groups', 'realm', 'upn']

type People = Record<string, Record<string, unknown>>

export interface OpenIdProviderOptions {
  /** Allowed redirect URLs, and the URL to which logouts are reported. */
  readonly redirectUris: readonly string[]
  readonly logoutUri?: string
  readonly accessTokenSeconds?: number
  readonly port?: number
}

async function createKey(kid: string) {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'RS256' }
}

const toClient = (
  { redirectUris, logoutUri }: OpenIdProviderOptions,
  id: string,
  secret: string,
) => ({
  client_id: id,
  client_secret: secret,
  redirect_uris: [...redirectUris],
  post_logout_redirect_uris: ['http://127.0.0.1/bye'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  ...(logoutUri !== undefined && {
    backchannel_logout_uri: logoutUri,
    backchannel_logout_session_required: true,
  }),
})

interface SignInState {
  /** Name of the user who signs in next; empty for one who refuses. */
  person: string
  readonly requests: string[]
  accessTokenSeconds: number
  /** True for a provider that never responds. */
  isSilent: boolean
  givesRefreshTokens: boolean
}

interface ProviderParts {
  readonly options: OpenIdProviderOptions
  readonly people: People
  readonly state: SignInState
  readonly memory: ReturnType<typeof createSignInMemory>
}

/** Grants everything a client may request, so that no consent page is shown. */
async function grantAll(
  provider: OidcProvider,
  { client, session }: { client: { clientId: string }; session: { accountId: string } },
) {
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope('openid email profile offline_access')
  await grant.save()
  return grant
}

async function createProvider(
  url: string,
  kid: string,
  { options, people, state, memory }: ProviderParts,
): Promise<OidcProvider> {
  const { default: Provider } = await import('oidc-provider')
  const key = await createKey(kid)
  const provider: OidcProvider = new Provider(url, {
    adapter: memory.adapter,
    clients: [
      toClient(options, CLIENT.id, CLIENT.secret),
      toClient(options, 'another', 'the secret of another one'),
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['only for tests'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    scopes: ['openid', 'offline_access', 'email', 'profile'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: CLAIMS },
    ttl: {
      AccessToken: () => state.accessTokenSeconds,
      IdToken: 3600,
      RefreshToken: 86_400,
      Grant: 86_400,
      Session: 86_400,
      Interaction: 600,
    },
    features: {
      devInteractions: { enabled: false },
      introspection: { enabled: true },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    fetch: (
      address: string,
      { dispatcher: _guard, ...init }: RequestInit & { dispatcher?: unknown },
    ) => fetch(address, init),
    issueRefreshToken: () => state.givesRefreshTokens,
    // The library's own page loads its fonts from elsewhere.
    renderError(
      context: { type: string; body: string },
      { error, error_description: text }: Record<string, unknown>,
    ) {
      context.type = 'text/plain'
      context.body = `${String(error)}: ${String(text)}`
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    loadExistingGrant: ({ oidc }: { oidc: Parameters<typeof grantAll>[1] }) =>
      grantAll(provider, oidc),
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...people[id] }),
    }),
  })
  return provider
}

/**
 * Starts a real OpenID provider on a free port, where `state.person` is signed in without
 * interaction.
 */
export async function startOpenIdProvider(options: OpenIdProviderOptions) {
  const server = createServer().listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const memory = createSignInMemory()
  const people: People = {}
  const state: SignInState = {
    person: 'ada',
    requests: [],
    accessTokenSeconds: options.accessTokenSeconds ?? 3600,
    isSilent: false,
    givesRefreshTokens: true,
  }
  const begin = (kid: string) => createProvider(url, kid, { options, people, state, memory })
  let provider = await begin('first')
  server.on('request', (request, response) => {
    state.requests.push(`${request.method} ${(request.url ?? '').split('?', 1)[0]}`)
    if (state.isSilent) return
    if (!request.url?.startsWith('/interaction/'))
      return void provider.callback()(request, response)
    const result =
      state.person === ''
        ? { error: 'access_denied', error_description: 'Not today' }
        : { login: { accountId: state.person } }
    void provider.interactionFinished(request, response, result)
  })
  return {
    url,
    discoveryUrl: `${url}/.well-known/openid-configuration`,
    people,
    state,
    memory,
    /** Uses another signing key from now on; users and tokens are kept. */
    async rotateKeys(kid: string): Promise<void> {
      provider = await begin(kid)
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type OpenIdProvider = Awaited<ReturnType<typeof startOpenIdProvider>>
