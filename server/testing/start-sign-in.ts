import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSignInMemory } from './sign-in-memory.ts'
import type { TestMcpServer } from './start-mcp-server.ts'

/** An authorization server and its stored data. */
export interface SignInServer {
  readonly url: string
  readonly memory: ReturnType<typeof createSignInMemory>
  close(): void
}

/**
 * Starts a real authorization server, with dynamic registration, PKCE and tokens bound to a
 * resource. From then on the MCP server accepts only its tokens.
 */
export async function startSignIn(desk: TestMcpServer): Promise<SignInServer> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { default: OidcProvider } = await import('oidc-provider')
  const memory = createSignInMemory()
  const provider = new OidcProvider(url, {
    adapter: memory.adapter,
    scopes: ['openid', 'offline_access', 'notes'],
    pkce: { required: () => true },
    features: {
      registration: { enabled: true },
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => desk.url,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'notes',
          audience: desk.url,
          accessTokenTTL: 3600,
          accessTokenFormat: 'opaque',
        }),
      },
    },
    issueRefreshToken: () => true,
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  })
  const handle = provider.callback()
  server.on('request', (request, response) => void handle(request, response))
  const { origin } = new URL(desk.url)
  desk.documents.set('/.well-known/oauth-protected-resource/mcp', {
    resource: desk.url,
    authorization_servers: [url],
    scopes_supported: ['notes'],
  })
  desk.refuse = async ({ headers }) => {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
    const known = token === undefined ? undefined : await provider.AccessToken.find(token)
    return known?.aud === desk.url
      ? null
      : `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
  }
  return {
    url,
    memory,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
