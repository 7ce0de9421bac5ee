import { afterEach, describe, expect, it } from 'vitest'
import { startOpenIdProvider, type OpenIdProvider } from '../../testing/start-open-id-provider.ts'
import { startTestServer, type TestServer } from '../../testing/start-server.ts'

let server: TestServer
let provider: OpenIdProvider
afterEach(async () => {
  await server.close()
  await provider.close()
})

async function start(environment: Record<string, string>): Promise<void> {
  provider = await startOpenIdProvider({ redirectUris: ['http://127.0.0.1/x'] })
  const address = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replace('PROVIDER', provider.discoveryUrl),
    ]),
  )
  server = await startTestServer({ environment: { LOG_LEVEL: 'silent', ...address } })
}
/** Returns the query parameters that a sign-in sends to the provider. */
async function ask(name: string): Promise<Record<string, string>> {
  const reply = await fetch(`${server.url}/oauth/${name}/login`, { redirect: 'manual' })
  const url = new URL(reply.headers.get('location')!)
  return { origin: url.origin, ...Object.fromEntries(url.searchParams) }
}

describe('the named providers by environment alone', () => {
  it('each has its name, scopes and redirect address', async () => {
    await start({
      OPENID_PROVIDER_URL: 'PROVIDER',
      IDPA_CLIENT_ID: 'a',
      IDPA_CLIENT_SECRET: 'x',
      IDPA_PROVIDER_NAME: 'First',
      IDPA_OAUTH_SCOPE: 'openid email',
      IDPA_REDIRECT_URI: 'https://chat.example/oauth/google/callback',
      IDPB_CLIENT_ID: 'b',
      IDPB_CLIENT_SECRET: 'x',
      IDPB_CLIENT_TENANT_ID: 'tenant',
      IDPB_PROVIDER_NAME: 'Second',
      IDPB_OAUTH_SCOPE: 'openid email profile offline_access',
      IDPC_CLIENT_ID: 'c',
      IDPC_CLIENT_SECRET: 'x',
      IDPC_PROVIDER_NAME: 'Third',
      IDPC_REDIRECT_URI: 'https://chat.example/oauth/github/callback',
    })
    const config = (await (await fetch(`${server.url}/api/config`)).json()) as { oauth: unknown }
    expect(config.oauth).toMatchObject({
      providers: { idpa: 'First', idpb: 'Second', idpc: 'Third' },
    })
    expect(await ask('idpa')).toMatchObject({
      origin: provider.url,
      client_id: 'a',
      scope: 'openid email',
      redirect_uri: 'https://chat.example/oauth/google/callback',
    })
    expect(await ask('idpb')).toMatchObject({
      origin: provider.url,
      client_id: 'b',
      scope: 'openid email profile offline_access',
    })
    expect(await ask('idpc')).toMatchObject({
      origin: 'https://github.com',
      redirect_uri: 'https://chat.example/oauth/github/callback',
    })
  })

  it('the names these variables have elsewhere are read too, and so are their addresses', async () => {
    await start({
      OPENID_PROVIDER_URL: 'PROVIDER',
      GOOGLE_CLIENT_ID: 'g',
      GOOGLE_CLIENT_SECRET: 'x',
      MICROSOFT_CLIENT_ID: 'm',
      MICROSOFT_CLIENT_SECRET: 'x',
      MICROSOFT_CLIENT_TENANT_ID: 't',
    })
    expect(await ask('google')).toMatchObject({
      client_id: 'g',
      redirect_uri: `${server.url}/oauth/idpa/callback`,
    })
    expect(await ask('microsoft')).toMatchObject({ client_id: 'm' })
  })

  it('people come back to WEBUI_URL, whose path stays', async () => {
    await start({
      OPENID_PROVIDER_URL: 'PROVIDER',
      OAUTH_CLIENT_ID: 'o',
      WEBUI_URL: 'https://example.org/chat/',
    })
    expect(await ask('oidc')).toMatchObject({
      client_id: 'o',
      redirect_uri: 'https://example.org/chat/oauth/oidc/callback',
    })
    const reply = await fetch(`${server.url}/oauth/oidc/callback?state=x`, { redirect: 'manual' })
    expect(reply.headers.get('location')).toMatch(/^https:\/\/example\.org\/chat\/auth\?error=/)
  })

  it.each([
    ['OAUTH_SCOPES', 'x'.repeat(30_000)],
    ['IDPA_OAUTH_AUTHORIZE_PARAMS', '[]'],
    ['IDPA_OAUTH_AUTHORIZE_PARAMS', '{"prompt": 7}'],
    ['OPENID_PROVIDER_URL', 'ftp://example.org'],
    ['OAUTH_MAX_SESSIONS_PER_USER', '0'],
    ['OAUTH_GROUP_DEFAULT_SHARE', 'everybody'],
    ['OAUTH_BLOCKED_GROUPS', '{}'],
    ['OAUTH_ALLOWED_DOMAINS', 'exa mple'],
    ['OAUTH_TIMEOUT', '0'],
  ])('%s=%s stops the start with a sentence', async (name, value) => {
    await start({})
    await expect(startTestServer({ environment: { [name]: value } })).rejects.toThrow(
      new RegExp(`^${name}=.* is not possible. It must be `),
    )
  })
})
