import type { JWTVerifyGetKey } from 'jose'
import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client'
import { isPrivateHost } from '../../lib/outgoing/host-address.ts'
import { nowSeconds } from '../../lib/ids.ts'
import type { SignInFetch } from '../../lib/outgoing/sign-in-fetch.ts'
import { toDescriptionAddress, type Provider } from './providers.ts'
import { SignInFailure } from './sign-in-failure.ts'

export const CLOCK_SECONDS = 60
const KEY_MILLISECONDS = 600_000
/** Minimum time between two requests for an unknown key. */
const KEY_COOLDOWN_MILLISECONDS = 30_000

/** Names without a dot belong to a container network. */
const isInside = ({ hostname }: URL): boolean =>
  isPrivateHost(hostname) || hostname === 'localhost' || !hostname.includes('.')

/** Loaded by the first sign-in, because they are not needed on start. */
export const loadOpenId = () => import('openid-client')
export const loadJose = () => import('jose')

/** Metadata of a provider. */
export interface Description {
  readonly configuration: Configuration
  readonly keys: JWTVerifyGetKey
  readonly readAt: number
}

const settingOf = ({ id }: Provider): string =>
  id === 'oidc' ? 'OPENID_PROVIDER_URL' : `${id.toUpperCase()}_PROVIDER_URL`

/**
 * 127.0.0.1 and the private network may be requested without https, because the traffic is not
 * visible elsewhere.
 */
function requireSafe(provider: Provider, url: URL, what: string): void {
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isInside(url))) return
  throw new SignInFailure(
    'discovery',
    `${provider.name} cannot be used as it is set up. Tell an administrator.`,
    {
      detail: `${what} is asked without https at ${url.origin}.`,
      remedy: 'Use the https address of the provider.',
      settings: [settingOf(provider)],
    },
  )
}

function chooseAuthentication(
  openId: Awaited<ReturnType<typeof loadOpenId>>,
  { clientSecret }: Provider,
  metadata: Readonly<ServerMetadata>,
): ClientAuth {
  const takesBasic =
    metadata.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? true
  return clientSecret === ''
    ? openId.None()
    : takesBasic
      ? openId.ClientSecretBasic(clientSecret)
      : openId.ClientSecretPost(clientSecret)
}

/** Refuses the metadata of another provider or tenant than the configured one. */
function requireExpected(provider: Provider, url: URL, metadata: Readonly<ServerMetadata>): void {
  const { name, tenant } = provider
  const expected = url.href.slice(0, url.href.indexOf('/.well-known/'))
  if (metadata.issuer.replace(/\/+$/, '') !== expected.replace(/\/+$/, ''))
    throw new SignInFailure(
      'discovery',
      `${name} cannot be used as it is set up. Tell an administrator.`,
      {
        detail: `The description at ${url.href} is that of ${metadata.issuer.slice(0, 300)}.`,
        remedy: `Use the address ${toDescriptionAddress(metadata.issuer.slice(0, 300))}, if that is the provider that is meant.`,
        settings: [settingOf(provider)],
      },
    )
  if (tenant !== null && /\{tenantid\}|\/(common|organizations|consumers)\//i.test(metadata.issuer))
    throw new SignInFailure(
      'discovery',
      `${name} cannot be used as it is set up. Tell an administrator.`,
      {
        detail: 'The description is that of all tenants.',
        remedy: 'Use the description of the one tenant whose people may sign in.',
        settings: ['IDPB_CLIENT_TENANT_ID', 'IDPB_PROVIDER_URL'],
      },
    )
}

/** Reads the metadata of a provider and checks that it is safe to use. */
export async function discover(
  provider: Provider,
  send: SignInFetch,
  seconds: number,
): Promise<Description> {
  const openId = await loadOpenId()
  const { clientId } = provider
  const url = new URL(toDescriptionAddress(provider.discoveryUrl ?? ''))
  requireSafe(provider, url, 'The provider')
  const configuration = await openId.discovery(
    url,
    clientId,
    { [openId.clockTolerance]: CLOCK_SECONDS },
    // The authentication method of the client is only known once the metadata has been read.
    (...given) => authenticate(...given),
    {
      [openId.customFetch]: (address, options) => send(address, options as RequestInit),
      timeout: seconds,
      execute: isInside(url) ? [openId.allowInsecureRequests] : [],
    },
  )
  const metadata = configuration.serverMetadata()
  const authenticate = chooseAuthentication(openId, provider, metadata)
  requireExpected(provider, url, metadata)
  for (const [what, address] of [
    ['The sign-in page', metadata.authorization_endpoint ?? ''],
    ['The token endpoint', metadata.token_endpoint ?? ''],
    ['The list of keys', metadata.jwks_uri],
    ['The userinfo endpoint', metadata.userinfo_endpoint],
  ] as const)
    if (address !== undefined) requireSafe(provider, new URL(address), what)
  const keys = await openKeys(provider, metadata.jwks_uri, { send, seconds })
  return { configuration, keys, readAt: nowSeconds() }
}

async function openKeys(
  { name }: Provider,
  address: string | undefined,
  { send, seconds }: { readonly send: SignInFetch; readonly seconds: number },
): Promise<JWTVerifyGetKey> {
  if (address === undefined)
    throw new SignInFailure(
      'discovery',
      `${name} cannot be used as it is set up. Tell an administrator.`,
      {
        detail: 'The description names no list of keys (jwks_uri).',
        remedy: 'Signatures cannot be checked without it. Use a provider that publishes its keys.',
      },
    )
  const { createRemoteJWKSet, customFetch } = await loadJose()
  return createRemoteJWKSet(new URL(address), {
    [customFetch]: (url: string, options: RequestInit) => send(url, options),
    cooldownDuration: KEY_COOLDOWN_MILLISECONDS,
    cacheMaxAge: KEY_MILLISECONDS,
    timeoutDuration: seconds * 1000,
  })
}
