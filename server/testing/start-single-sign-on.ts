import type { SettingValue } from '#contract/settings.ts'
import {
  CLIENT,
  startOpenIdProvider,
  type OpenIdProvider,
  type OpenIdProviderOptions,
} from './start-open-id-provider.ts'
import { startTestServer, type TestServer, type TestServerOptions } from './start-server.ts'
import { TestBrowser } from './test-browser.ts'

export interface SingleSignOnWorld {
  readonly server: TestServer
  readonly provider: OpenIdProvider
  /** Signs in as a person; resolves with the gateway's URL at which the browser ends. */
  signIn(
    person: string,
    browser?: TestBrowser,
    options?: { provider?: string; redirect?: string },
  ): Promise<URL>
  set(values: Record<string, SettingValue>): Promise<void>
  close(): Promise<void>
}

export const ADA = Object.freeze({
  email: 'ada@example.com',
  email_verified: true,
  name: 'Ada Lovelace',
})

/**
 * Starts a gateway and a real OpenID provider that are configured for each other. Settings can be
 * changed while they run.
 */
export async function startSingleSignOn(
  environment: Record<string, string> = {},
  {
    provider: options = {},
    ...serverOptions
  }: Omit<TestServerOptions, 'environment'> & { provider?: Partial<OpenIdProviderOptions> } = {},
): Promise<SingleSignOnWorld> {
  // The gateway and the provider must each know the other's URL, so their ports are reserved first.
  const server = await startTestServer({
    ...serverOptions,
    environment: {
      ENABLE_OAUTH_PERSISTENT_CONFIG: 'true',
      OAUTH_CLIENT_ID: CLIENT.id,
      OAUTH_CLIENT_SECRET: CLIENT.secret,
      ENABLE_OAUTH_SIGNUP: 'true',
      DEFAULT_USER_ROLE: 'user',
      LOG_LEVEL: 'silent',
      ...environment,
    },
  })
  const paths = ['oidc', 'idpa', 'idpb'].flatMap((id) => [
    `/oauth/${id}/callback`,
    `/oauth/${id}/login/callback`,
  ])
  const provider = await startOpenIdProvider({
    redirectUris: paths.map((path) => server.url + path),
    logoutUri: `${server.url}/oauth/backchannel-logout`,
    ...options,
  })
  provider.people['ada'] = { ...ADA }
  const set = (values: Record<string, SettingValue>): Promise<void> =>
    server.context.settings.update(values)
  if (environment['OPENID_PROVIDER_URL'] === undefined)
    await set({ OPENID_PROVIDER_URL: provider.discoveryUrl })
  return {
    server,
    provider,
    set,
    async signIn(person, browser = new TestBrowser(), { provider: id = 'oidc', redirect } = {}) {
      provider.state.person = person
      const query = redirect === undefined ? '' : `?redirect=${encodeURIComponent(redirect)}`
      return new URL(
        await browser.follow(`${server.url}/oauth/${id}/login${query}`, `${server.url}/auth`),
      )
    },
    async close() {
      await server.close()
      await provider.close()
    },
  }
}
