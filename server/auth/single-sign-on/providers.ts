import type { IncomingMessage } from 'node:http'
import { OAUTH_PROVIDERS, type OAuthProviderId, type OAuthProviderInfo } from '#contract/oauth.ts'
import { toBaseAddress } from '../../lib/base-address.ts'
import type { Settings } from '../../settings/index.ts'
import type { Peers } from '../peers.ts'

/** A provider as it is set up now. */
export interface Provider {
  readonly id: OAuthProviderId
  readonly name: string
  readonly clientId: string
  readonly clientSecret: string
  /** Where an OpenID provider describes itself; null for one that speaks plain OAuth. */
  readonly discoveryUrl: string | null
  readonly scope: string
  /** Sent to its sign-in page besides. */
  readonly params: Readonly<Record<string, string>>
  /** The tenant whose people may sign in; null where there are none. */
  readonly tenant: string | null
  /** Settings that are missing before people can sign in. */
  readonly missing: readonly string[]
}

/** The names of these providers elsewhere, by which their addresses may be registered already. */
const ALIASES: Readonly<Record<string, OAuthProviderId>> = {
  google: 'idpa',
  microsoft: 'idpb',
  github: 'idpc',
}
const IDPA_DISCOVERY = 'https://accounts.google.com/.well-known/openid-configuration'
const idpbDiscovery = (tenant: string): string =>
  `https://login.microsoftonline.com/${encodeURIComponent(tenant)}/v2.0/.well-known/openid-configuration`

type SettingsReader = Pick<Settings, 'boolean' | 'string' | 'json'>

/** Which of some settings are empty. */
const emptyOf = (settings: SettingsReader, keys: readonly string[]): string[] =>
  keys.filter((key) => settings.string(key) === '')

/**
 * The address a named provider describes itself at. The one of OPENID_PROVIDER_URL is the generic
 * provider's when there is one.
 */
function discoveryOf(settings: SettingsReader, own: string, usual: string): string {
  const shared =
    settings.string('OAUTH_CLIENT_ID') === '' ? settings.string('OPENID_PROVIDER_URL') : ''
  return settings.string(own) || shared || usual
}

/** Parameters without those that say nothing. */
const toParams = (params: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ''))

const READERS: Readonly<
  Record<OAuthProviderId, (settings: SettingsReader) => Omit<Provider, 'id'>>
> = {
  idpa: (settings) => ({
    name: settings.string('IDPA_PROVIDER_NAME'),
    clientId: settings.string('IDPA_CLIENT_ID'),
    clientSecret: settings.string('IDPA_CLIENT_SECRET'),
    discoveryUrl: discoveryOf(settings, 'IDPA_PROVIDER_URL', IDPA_DISCOVERY),
    scope: settings.string('IDPA_OAUTH_SCOPE'),
    params: settings.json('IDPA_OAUTH_AUTHORIZE_PARAMS'),
    tenant: null,
    missing: emptyOf(settings, ['IDPA_CLIENT_ID', 'IDPA_CLIENT_SECRET']),
  }),
  idpb: (settings) => ({
    name: settings.string('IDPB_PROVIDER_NAME'),
    clientId: settings.string('IDPB_CLIENT_ID'),
    clientSecret: settings.string('IDPB_CLIENT_SECRET'),
    discoveryUrl: discoveryOf(
      settings,
      'IDPB_PROVIDER_URL',
      idpbDiscovery(settings.string('IDPB_CLIENT_TENANT_ID')),
    ),
    scope: settings.string('IDPB_OAUTH_SCOPE'),
    params: {},
    tenant: settings.string('IDPB_CLIENT_TENANT_ID'),
    missing: emptyOf(settings, ['IDPB_CLIENT_ID', 'IDPB_CLIENT_SECRET', 'IDPB_CLIENT_TENANT_ID']),
  }),
  idpc: (settings) => ({
    name: settings.string('IDPC_PROVIDER_NAME'),
    clientId: settings.string('IDPC_CLIENT_ID'),
    clientSecret: settings.string('IDPC_CLIENT_SECRET'),
    discoveryUrl: null,
    scope: settings.string('IDPC_OAUTH_SCOPE'),
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
    name: settings.string('OAUTH_PROVIDER_NAME'),
    clientId: settings.string('OAUTH_CLIENT_ID'),
    // A client without a secret is known by PKCE alone.
    clientSecret: settings.string('OAUTH_CLIENT_SECRET'),
    discoveryUrl: settings.string('OPENID_PROVIDER_URL'),
    scope: settings.string('OAUTH_SCOPES'),
    params: toParams({ audience: settings.string('OAUTH_AUDIENCE') }),
    tenant: null,
    missing: emptyOf(settings, ['OAUTH_CLIENT_ID', 'OPENID_PROVIDER_URL']),
  }),
}

/** Where the setting of the address stands that people come back to. */
export const REDIRECT_KEYS: Readonly<Record<OAuthProviderId, string>> = {
  idpa: 'IDPA_REDIRECT_URI',
  idpb: 'IDPB_REDIRECT_URI',
  idpc: 'IDPC_REDIRECT_URI',
  oidc: 'OPENID_REDIRECT_URI',
}
const NAME_KEYS: Readonly<Record<OAuthProviderId, string>> = {
  idpa: 'IDPA_PROVIDER_NAME',
  idpb: 'IDPB_PROVIDER_NAME',
  idpc: 'IDPC_PROVIDER_NAME',
  oidc: 'OAUTH_PROVIDER_NAME',
}
/** Which client ids make an administrator think that a provider is set up. */
export const CLIENT_KEYS: Readonly<Record<OAuthProviderId, string>> = {
  idpa: 'IDPA_CLIENT_ID',
  idpb: 'IDPB_CLIENT_ID',
  idpc: 'IDPC_CLIENT_ID',
  oidc: 'OAUTH_CLIENT_ID',
}

const WELL_KNOWN = '/.well-known/openid-configuration'

/** Where the description of a provider lies, also for the address of the provider itself. */
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

/** The providers people may sign in with, as the settings have them now. */
export class Providers {
  readonly #settings: Settings
  readonly #peers: Pick<Peers, 'isHttps'>

  constructor({
    settings,
    peers,
  }: {
    readonly settings: Settings
    readonly peers: Pick<Peers, 'isHttps'>
  }) {
    this.#settings = settings
    this.#peers = peers
  }

  /** By its name in addresses, whether or not it is complete; null for a name nobody has. */
  read(name: string): Provider | null {
    const id =
      OAUTH_PROVIDERS.find((known) => known === name) ??
      (Object.hasOwn(ALIASES, name) ? ALIASES[name]! : null)
    return id === null ? null : { id, ...READERS[id](this.#settings) }
  }

  /** One that people can sign in with; null for every other name. */
  find(name: string): Provider | null {
    const provider = this.read(name)
    return provider && provider.missing.length === 0 ? provider : null
  }

  /** Those people can sign in with. */
  list(): Provider[] {
    return OAUTH_PROVIDERS.flatMap((id) => this.find(id) ?? [])
  }

  /** Where people come back to. It has to be registered at the provider. */
  redirectUri(id: OAuthProviderId, request: IncomingMessage): string {
    return (
      this.#settings.string(REDIRECT_KEYS[id]) || `${this.baseOf(request)}/oauth/${id}/callback`
    )
  }

  /** Where the gateway is for the browser that asks. */
  baseOf(request: IncomingMessage): string {
    return toBaseAddress(request, this.#settings.string('WEBUI_URL'), this.#peers.isHttps(request))
  }

  describe(request: IncomingMessage): OAuthProviderInfo[] {
    const isReporting = this.#settings.boolean('ENABLE_OAUTH_BACKCHANNEL_LOGOUT')
    return OAUTH_PROVIDERS.map((id) => {
      const { missing, discoveryUrl, clientId } = this.read(id)!
      return {
        id,
        name: this.#settings.string(NAME_KEYS[id]),
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
   * What the sign-in page offers: names by provider, and whether it goes straight to the only one.
   */
  forSignInPage(): { readonly providers: Record<string, string>; readonly auto_redirect: boolean } {
    const providers = this.list()
    const isAlone =
      !this.#settings.boolean('ENABLE_LOGIN_FORM') && !this.#settings.boolean('ENABLE_LDAP')
    return {
      providers: Object.fromEntries(providers.map(({ id, name }) => [id, name])),
      auto_redirect:
        this.#settings.boolean('OAUTH_AUTO_REDIRECT') && isAlone && providers.length === 1,
    }
  }
}
