import { badRequest } from '../../lib/errors.ts'
import type { AuthFetch } from './auth-fetch.ts'
import { createAuthFetch } from './auth-fetch.ts'
import { sealClient } from './client-info.ts'
import { toFailure, toMetadata, type SignInDependencies } from './provider.ts'

/** How the gateway is made known to the sign-in of a server; with a client id or secret it is known already. */
export interface RegisterRequest {
  readonly serverId: string
  readonly url: string
  readonly redirectUrl: string
  readonly name: string | null
  readonly clientId: string | null
  readonly clientSecret: string | null
  readonly serverUrl: string | null
  readonly scope: string | null
}

async function discoverAt(url: string, fetchFn: AuthFetch) {
  const { discoverOAuthServerInfo } = await import('@modelcontextprotocol/client')
  try {
    return await discoverOAuthServerInfo(url, { fetchFn })
  } catch (error) {
    throw toFailure(error)
  }
}

/** Makes the gateway known to the sign-in of a server; what comes back is encrypted. */
export async function register(dependencies: SignInDependencies, request: RegisterRequest): Promise<string> {
  const { secrets, outgoing, guarded, clientName } = dependencies
  const { serverId, url, redirectUrl, name, clientId, clientSecret, serverUrl, scope } = request
  const shared = { redirectUrl, scope, serverUrl }
  if (clientId !== null || clientSecret !== null) {
    const client = { client_id: clientId ?? serverId, ...(clientSecret !== null && { client_secret: clientSecret }) }
    return sealClient(secrets, serverId, { client, isStatic: true, ...shared })
  }
  const fetchFn = createAuthFetch(serverUrl === null ? [url] : [url, serverUrl], outgoing, guarded)
  const found = await discoverAt(serverUrl ?? url, fetchFn)
  const { registerClient } = await import('@modelcontextprotocol/client')
  try {
    const client = await registerClient(found.authorizationServerUrl, {
      metadata: found.authorizationServerMetadata,
      clientMetadata: toMetadata(redirectUrl, name ?? clientName(), scope),
      fetchFn,
    })
    const issuer = found.authorizationServerMetadata?.issuer
    return sealClient(secrets, serverId, { client: { ...client, ...(issuer && { issuer }) }, isStatic: false, ...shared })
  } catch (error) {
    throw toFailure(error)
  }
}

/** What a server says about its sign-in; 400 when it says nothing that can be used. */
export async function discover({ outgoing, guarded }: SignInDependencies, url: string): Promise<Record<string, unknown>> {
  const found = await discoverAt(url, createAuthFetch([url], outgoing, guarded))
  const { authorizationServerMetadata, resourceMetadata, authorizationServerUrl } = found
  if (!authorizationServerMetadata) throw badRequest(`${authorizationServerUrl} does not say how to sign in.`)
  return { ...authorizationServerMetadata, ...(resourceMetadata && { resource_metadata: resourceMetadata }) }
}
