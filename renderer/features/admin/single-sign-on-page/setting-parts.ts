import type { Setting } from '#contract/settings.ts'

/** Sections of the settings for sign-in with other providers, in page order. */
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

/** Settings of a named provider mapped to those of the generic one. */
const SAME_AS: ReadonlyMap<string, string> = new Map([
  ['PROVIDER_NAME', 'OAUTH_PROVIDER_NAME'],
  ['CLIENT_ID', 'OAUTH_CLIENT_ID'],
  ['CLIENT_SECRET', 'OAUTH_CLIENT_SECRET'],
  ['PROVIDER_URL', 'OPENID_PROVIDER_URL'],
  ['OAUTH_SCOPE', 'OAUTH_SCOPES'],
  ['REDIRECT_URI', 'OPENID_REDIRECT_URI'],
])

/**
 * Returns the key for a setting's label on its provider's card, where the provider's name is
 * omitted.
 */
export const labelKeyOf = (key: string): string =>
  SAME_AS.get(/^IDP[ABC]_(.+)$/.exec(key)?.[1] ?? '') ?? key

/** Sections of one provider each, named after it. */
type ProviderPart = 'oidc' | 'idpa' | 'idpb' | 'idpc'
/** True for sections that apply to every provider. */
export const isCommon = (part: SignOnPart): part is Exclude<SignOnPart, ProviderPart> =>
  !/^(oidc|idp[abc])$/.test(part)

/** Groups the settings of this page by section; empty sections are left out. */
export function splitSettings(
  settings: readonly Setting[],
): readonly (readonly [SignOnPart, readonly Setting[]])[] {
  const own = settings.filter(({ group }) => group === 'single-sign-on')
  return SIGN_ON_PARTS.map(
    (part) => [part, own.filter(({ key }) => partOf(key) === part)] as const,
  ).filter(([, rows]) => rows.length > 0)
}
