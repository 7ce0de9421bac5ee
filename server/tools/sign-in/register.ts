import { badRequest } from '../../lib/errors.ts'
import { createSignInFetch, type SignInFetch } from '../../lib/sign-in-fetch.ts'
import { sealClient } from './client-info.ts'
import { toFailure, toMetadata, type SignInDependencies } from './provider.ts'

/**
 * How the gateway is made known to the sign-in of a server; with a client id or secret it is known
 * already.
 */
export interface RegisterRequest {
  readonly serverId: string
  readonly url: string
  readonly redirectUrl: string
  readonly name: string | null
  readonly clientId: string | null
  readonly clientSecret: string | null
  /** The server that signs in, where an administrator named it. */
  readonly serverUrl: string | null
  readonly scope: string | null
  /** See `ClientInfo`. */
  readonly resource: string
}

async function discoverAt(url: string, fetchFn: SignInFetch) {
  const { discoverOAuthServerInfo } = await import('@modelcontextprotocol/client')
  try {
    return await discoverOAuthServerInfo(url, { fetchFn })
  } catch (error) {
    throw toFailure(error)
  }
}

/** The sign-in of a server: the one that was named, or the one the server names. */
async function findSignIn(
  { url, serverUrl }: Pick<RegisterRequest, 'url' | 'serverUrl'>,
  fetchFn: SignInFetch,
) {
  if (serverUrl === null) return discoverAt(url, fetchFn)
  const { discoverAuthorizationServerMetadata } = await import('@modelcontextprotocol/client')
  const metadata = await discoverAuthorizationServerMetadata(serverUrl, { fetchFn }).catch(
    (error: unknown) => {
      throw toFailure(error)
    },
  )
  if (!metadata) throw badRequest(`${serverUrl} does not say how to sign in.`)
  return {
    authorizationServerUrl: serverUrl,
    authorizationServerMetadata: metadata,
    resourceMetadata: undefined,
  }
}

/** Ways to prove a client that are known here, the usual one first. */
const METHODS = ['client_secret_post', 'client_secret_basic', 'none']

/** The usual way, unless the sign-in lists others only. */
function chooseMethod(supported: readonly string[] | undefined): string {
  if (!supported || supported.includes(METHODS[0]!)) return METHODS[0]!
  return supported.find((method) => METHODS.includes(method)) ?? METHODS[0]!
}

/**
 * Scopes as they are asked for at a sign-in, where tokens that can be renewed have a scope of their
 * own.
 */
function withRenewal(scope: string, supported: readonly string[] | undefined): string {
  const isMissing =
    scope !== '' &&
    supported?.includes('offline_access') === true &&
    !scope.split(' ').includes('offline_access')
  return isMissing ? `${scope} offline_access` : scope
}

/** Makes the gateway known to the sign-in of a server; what comes back is encrypted. */
export async function register(
  dependencies: SignInDependencies,
  request: RegisterRequest,
): Promise<string> {
  const { secrets, outgoing, guarded, clientName } = dependencies
  const { serverId, url, redirectUrl, name, clientId, clientSecret, serverUrl, scope, resource } =
    request
  const shared = { redirectUrl, scope, serverUrl, resource }
  if (clientId !== null || clientSecret !== null) {
    const client = {
      client_id: clientId ?? serverId,
      ...(clientSecret !== null && { client_secret: clientSecret }),
    }
    return sealClient(secrets, serverId, { client, isStatic: true, ...shared })
  }
  const fetchFn = createSignInFetch(serverUrl === null ? [url] : [url, serverUrl], {
    outgoing,
    guarded,
  })
  const {
    authorizationServerUrl,
    authorizationServerMetadata: metadata,
    resourceMetadata,
  } = await findSignIn(request, fetchFn)
  const { registerClient } = await import('@modelcontextprotocol/client')
  const asked = withRenewal(
    scope ?? resourceMetadata?.scopes_supported?.join(' ') ?? '',
    metadata?.scopes_supported,
  )
  const method = chooseMethod(metadata?.token_endpoint_auth_methods_supported)
  try {
    const clientMetadata = toMetadata(
      redirectUrl,
      name ?? clientName(),
      asked === '' ? null : asked,
      method,
    )
    const client = await registerClient(authorizationServerUrl, {
      metadata,
      clientMetadata,
      fetchFn,
    })
    return sealClient(secrets, serverId, {
      client: { ...client, issuer: metadata?.issuer ?? String(authorizationServerUrl) },
      isStatic: false,
      ...shared,
    })
  } catch (error) {
    throw toFailure(error)
  }
}

/** What a server says about its sign-in; 400 when it says nothing that can be used. */
export async function discover(
  { outgoing, guarded }: SignInDependencies,
  url: string,
): Promise<Record<string, unknown>> {
  const found = await discoverAt(url, createSignInFetch([url], { outgoing, guarded }))
  const { authorizationServerMetadata, resourceMetadata, authorizationServerUrl } = found
  if (!authorizationServerMetadata)
    throw badRequest(`${authorizationServerUrl} does not say how to sign in.`)
  return {
    ...authorizationServerMetadata,
    ...(resourceMetadata && { resource_metadata: resourceMetadata }),
  }
}
