import { badRequest } from '../../lib/errors.ts'
import { createSignInFetch, type SignInFetch } from '../../lib/outgoing/sign-in-fetch.ts'
import { sealClient } from './client-info.ts'
import { toFailure, toMetadata, type SignInDependencies } from './provider.ts'

/**
 * Parameters of the gateway's registration at a server's sign-in; with a client id or secret it is
 * already registered.
 */
export interface RegisterRequest {
  readonly serverId: string
  readonly url: string
  readonly redirectUrl: string
  readonly name: string | null
  readonly clientId: string | null
  readonly clientSecret: string | null
  /** The authorisation server, if an administrator specified it. */
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

/** Finds the server's sign-in: the specified one, or the one the server announces. */
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

/** Supported client authentication methods, the preferred one first. */
const METHODS = ['client_secret_post', 'client_secret_basic', 'none']

/** Returns the preferred method, unless the sign-in lists only others. */
function chooseMethod(supported: readonly string[] | undefined): string {
  if (!supported || supported.includes(METHODS[0]!)) return METHODS[0]!
  return supported.find((method) => METHODS.includes(method)) ?? METHODS[0]!
}

/** Returns the scopes requested at a sign-in, if renewable tokens require a separate scope. */
function withRenewal(scope: string, supported: readonly string[] | undefined): string {
  const isMissing =
    scope !== '' &&
    supported?.includes('offline_access') === true &&
    !scope.split(' ').includes('offline_access')
  return isMissing ? `${scope} offline_access` : scope
}

/** Registers the gateway at a server's sign-in; the result is encrypted. */
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

/** Returns a server's sign-in metadata; throws 400 if there is no usable one. */
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
