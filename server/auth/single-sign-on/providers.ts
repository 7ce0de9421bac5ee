import type { IncomingMessage } from 'node:http'
import { OAUTH_PROVIDERS, type OAuthProviderId, type OAuthProviderInfo } from '#contract/oauth.ts'
import { toBaseAddress } from '../../lib/serving/base-address.ts'
import type { SettingName } from '../../settings/index.ts'
import type { AuthSettings } from '../auth-settings.ts'
import type { Peers } from '../origin/peers.ts'

/** A provider as currently configured. */
export interface Provider {
  readonly id: OAuthProviderId
  readonly name: string
  readonly clientId: string
  readonly clientSecret: string
  /** Discovery URL of an OpenID provider; null for plain OAuth. */
  readonly discoveryUrl: string | null
  readonly scope: string
  /** Additional parameters for its sign-in page. */
  readonly params: Readonly<Record<string, string>>
  /** The tenant whose users may sign in; null if there are no tenants. */
  readonly tenant: string | null
  /** Settings that are missing before users can sign in. */
  readonly missing: readonly string[]
}

/**
 * Names of these providers in the reference system, by which their redirect URLs may be registered
 * already.
 */
const ALIASES: Readonly<Record<string, OAuthProviderId>> = {
  google: 'idpa',
  microsoft: 'idpb',
  github: 'idpc',
}
const IDPA_DISCOVERY = 'https://accounts.google.com/.well-known/openid-configuration'
const idpbDiscovery = (tenant: string): string =>
  `https://login.microsoftonline.com/${encodeURIComponent(tenant)}/v2.0/.well-known/openid-configuration`

/** Returns those of the given settings that are empty. */
const emptyOf = (
  settings: AuthSettings,
  keys: readonly (SettingName<string> & Parameters<AuthSettings['get']>[0])[],
): string[] => keys.filter((key) => settings.get(key) === '')

/**
 * Returns the discovery URL of a named provider. OPENID_PROVIDER_URL applies to the generic
 * provider if there is one.
 */
function discoveryOf(
  settings: AuthSettings,
  own: 'IDPA_PROVIDER_URL' | 'IDPB_PROVIDER_URL',
  usual: string,
): string {
  const shared = settings.get('OAUTH_CLIENT_ID') === '' ? settings.get('OPENID_PROVIDER_URL') : ''
  return settings.get(own) || shared || usual
}

/** Returns the parameters that are not empty. */
const toParams = (params: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ''))

const READERS: Readonly<Record<OAuthProviderId, (settings: AuthSettings) => Omit<Provider, 'id'>>> =
  {
    idpa: (settings) => ({
      name: settings.get('IDPA_PROVIDER_NAME'),
      clientId: settings.get('IDPA_CLIENT_ID'),
      clientSecret: settings.get('IDPA_CLIENT_SECRET'),
      discoveryUrl: discoveryOf(settings, 'IDPA_PROVIDER_URL', IDPA_DISCOVERY),
      scope: settings.get('IDPA_OAUTH_SCOPE'),
      params: settings.get('IDPA_OAUTH_AUTHORIZE_PARAMS'),
      tenant: null,
      missing: emptyOf(settings, ['IDPA_CLIENT_ID', 'IDPA_CLIENT_SECRET']),
    }),
    idpb: (settings) => ({
      name: settings.get('IDPB_PROVIDER_NAME'),
      clientId: settings.get('IDPB_CLIENT_ID'),
      clientSecret: settings.get('IDPB_CLIENT_SECRET'),
      discoveryUrl: discoveryOf(
        settings,
        'IDPB_PROVIDER_URL',
        idpbDiscovery(settings.get('IDPB_CLIENT_TENANT_ID')),
      ),
      scope: settings.get('IDPB_OAUTH_SCOPE'),
      params: {},
      tenant: settings.get('IDPB_CLIENT_TENANT_ID'),
      missing: emptyOf(settings, ['IDPB_CLIENT_ID', 'IDPB_CLIENT_SECRET', 'IDPB_CLIENT_TENANT_ID']),
    }),
    idpc: (settings) => ({
      name: settings.get('IDPC_PROVIDER_NAME'),
      clientId: settings.get('IDPC_CLIENT_ID'),
      clientSecret: settings.get('IDPC_CLIENT_SECRET'),
      discoveryUrl: null,
      scope: settings.get('IDPC_OAUTH_SCOPE'),
      params: {},
      tenant: null,
      missing: emptyOf(settings, [
        'IDPC_CLIENT_ID',
        'IDPC_CLIENT_SECRET',
        'IDPC_AUTHORIZE_URL',
        'IDPC_TOKEN_URL',
        'IDPC_API_URL',
      ]),
    }),
    oidc: (settings) => ({
      name: settings.get('OAUTH_PROVIDER_NAME'),
      clientId: settings.get('OAUTH_CLIENT_ID'),
      // A client without a secret is authenticated by PKCE alone.
      clientSecret: settings.get('OAUTH_CLIENT_SECRET'),
      discoveryUrl: settings.get('OPENID_PROVIDER_URL'),
      scope: settings.get('OAUTH_SCOPES'),
      params: toParams({ audience: settings.get('OAUTH_AUDIENCE') }),
      tenant: null,
      missing: emptyOf(settings, ['OAUTH_CLIENT_ID', 'OPENID_PROVIDER_URL']),
    }),
  }

/** Settings of the redirect URLs. */
export const REDIRECT_KEYS = {
  idpa: 'IDPA_REDIRECT_URI',
  idpb: 'IDPB_REDIRECT_URI',
  idpc: 'IDPC_REDIRECT_URI',
  oidc: 'OPENID_REDIRECT_URI',
} as const satisfies Readonly<Record<OAuthProviderId, SettingName>>
const NAME_KEYS = {
  idpa: 'IDPA_PROVIDER_NAME',
  idpb: 'IDPB_PROVIDER_NAME',
  idpc: 'IDPC_PROVIDER_NAME',
  oidc: 'OAUTH_PROVIDER_NAME',
} as const satisfies Readonly<Record<OAuthProviderId, SettingName>>
/** Client id settings that indicate that a provider is configured. */
export const CLIENT_KEYS = {
  idpa: 'IDPA_CLIENT_ID',
  idpb: 'IDPB_CLIENT_ID',
  idpc: 'IDPC_CLIENT_ID',
  oidc: 'OAUTH_CLIENT_ID',
} as const satisfies Readonly<Record<OAuthProviderId, SettingName>>

const WELL_KNOWN = '/.well-known/openid-configuration'

/** Returns the URL of the provider's metadata, also for the URL of the provider itself. */
export const toDescriptionAddress = (text: string): string =>
  text.includes('/.well-known/') ? text : text.replace(/\/*$/, WELL_KNOWN)

/**
 * Whether an address ends in one of the paths at which the gateway takes people of a provider back.
 */
export function isCallbackAddress(id: OAuthProviderId, address: string): boolean {
  const [path = ''] = address.split(/[?#]/)
  const names = [id, ...Object.keys(ALIASES).filter((alias) => ALIASES[alias] === id)]
  return names.some(
    (name) =>
      path.endsWith(`/oauth/${name}/callback`) || path.endsWith(`/oauth/${name}/login/callback`),
  )
}

/** The providers users may sign in with, according to the current settings. */
export class Providers {
  readonly #settings: AuthSettings
  readonly #peers: Pick<Peers, 'isHttps'>

  constructor({
    settings,
    peers,
  }: {
    readonly settings: AuthSettings
    readonly peers: Pick<Peers, 'isHttps'>
  }) {
    this.#settings = settings
    this.#peers = peers
  }

  /**
   * Returns a provider by its name in URLs, whether or not it is complete; null for an unknown
   * name.
   */
  read(name: string): Provider | null {
    const id =
      OAUTH_PROVIDERS.find((known) => known === name) ??
      (Object.hasOwn(ALIASES, name) ? ALIASES[name]! : null)
    return id === null ? null : { id, ...READERS[id](this.#settings) }
  }

  /** Returns a provider users can sign in with; null for every other name. */
  find(name: string): Provider | null {
    const provider = this.read(name)
    return provider && provider.missing.length === 0 ? provider : null
  }

  /** Returns the providers users can sign in with. */
  list(): Provider[] {
    return OAUTH_PROVIDERS.flatMap((id) => this.find(id) ?? [])
  }

  /** Returns the redirect URL. It must be registered at the provider. */
  redirectUri(id: OAuthProviderId, request: IncomingMessage): string {
    return this.#settings.get(REDIRECT_KEYS[id]) || `${this.baseOf(request)}/oauth/${id}/callback`
  }

  /** Returns the base URL of the gateway as seen by the requesting browser. */
  baseOf(request: IncomingMessage): string {
    return toBaseAddress(request, this.#settings.get('WEBUI_URL'), this.#peers.isHttps(request))
  }

  describe(request: IncomingMessage): OAuthProviderInfo[] {
    const isReporting = this.#settings.get('ENABLE_OAUTH_BACKCHANNEL_LOGOUT')
    return OAUTH_PROVIDERS.map((id) => {
      const { missing, discoveryUrl, clientId } = this.read(id)!
      return {
        id,
        name: this.#settings.get(NAME_KEYS[id]),
        is_configured: missing.length === 0,
        missing: clientId === '' && missing.includes(CLIENT_KEYS[id]) ? [] : [...missing],
        discovery_url: discoveryUrl,
        redirect_uri: this.redirectUri(id, request),
        backchannel_logout_uri:
          isReporting && discoveryUrl !== null
            ? `${this.baseOf(request)}/oauth/backchannel-logout`
            : null,
      }
    })
  }

  /**
   * Returns the options for the sign-in page: names by provider, and whether it redirects directly
   * to the only one.
   */
  forSignInPage(): { readonly providers: Record<string, string>; readonly auto_redirect: boolean } {
    const providers = this.list()
    const isAlone = !this.#settings.get('ENABLE_LOGIN_FORM') && !this.#settings.get('ENABLE_LDAP')
    return {
      providers: Object.fromEntries(providers.map(({ id, name }) => [id, name])),
      auto_redirect: this.#settings.get('OAUTH_AUTO_REDIRECT') && isAlone && providers.length === 1,
    }
  }
}
