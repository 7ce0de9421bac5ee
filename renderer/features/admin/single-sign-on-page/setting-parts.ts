import type { Setting } from '#contract/settings.ts'

/** What the settings of sign-in with other providers are about, in the order of the page. */
export const SIGN_ON_PARTS = Object.freeze([
  'accounts',
  'roles',
  'groups',
  'oidc',
  'idpa',
  'idpb',
  'idpc',
  'sessions',
] as const)
export type SignOnPart = (typeof SIGN_ON_PARTS)[number]

const PATTERNS: readonly (readonly [SignOnPart, RegExp])[] = [
  ['idpa', /^IDPA_/],
  ['idpb', /^IDPB_/],
  ['idpc', /^IDPC_/],
  ['roles', /ROLE/],
  ['groups', /GROUP/],
  ['sessions', /SESSION|TOKEN|LOGOUT|REDIS|CLIENT_INFO|PERSISTENT/],
  ['oidc', /^(OPENID_|OAUTH_(CLIENT|PROVIDER|SCOPES|AUDIENCE|CODE|TIMEOUT))/],
]

const partOf = (key: string): SignOnPart =>
  PATTERNS.find(([, pattern]) => pattern.test(key))?.[0] ?? 'accounts'

/** Which settings of the generic provider those of a named one correspond to. */
const SAME_AS: ReadonlyMap<string, string> = new Map([
  ['PROVIDER_NAME', 'OAUTH_PROVIDER_NAME'],
  ['CLIENT_ID', 'OAUTH_CLIENT_ID'],
  ['CLIENT_SECRET', 'OAUTH_CLIENT_SECRET'],
  ['PROVIDER_URL', 'OPENID_PROVIDER_URL'],
  ['OAUTH_SCOPE', 'OAUTH_SCOPES'],
  ['REDIRECT_URI', 'OPENID_REDIRECT_URI'],
])

/**
 * The key by which a setting is called on the card of its provider, whose name needs no repeating.
 */
export const labelKeyOf = (key: string): string =>
  SAME_AS.get(/^IDP[ABC]_(.+)$/.exec(key)?.[1] ?? '') ?? key

/** Parts that are about one provider each, and are called like it. */
type ProviderPart = 'oidc' | 'idpa' | 'idpb' | 'idpc'
/** Parts that hold for every provider. */
export const isCommon = (part: SignOnPart): part is Exclude<SignOnPart, ProviderPart> =>
  !/^(oidc|idp[abc])$/.test(part)

/** The settings of this page by what they are about; a part without any is left out. */
export function splitSettings(
  settings: readonly Setting[],
): readonly (readonly [SignOnPart, readonly Setting[]])[] {
  const own = settings.filter(({ group }) => group === 'single-sign-on')
  return SIGN_ON_PARTS.map(
    (part) => [part, own.filter(({ key }) => partOf(key) === part)] as const,
  ).filter(([, rows]) => rows.length > 0)
}
