import { z } from '#contract/lazy-zod.ts'
import { address, integer, json, secret, text } from '../rows.ts'
import type { SettingDefinition } from '../setting-definition.ts'

const paramsSchema = z.record(z.string().max(100), z.string().max(2000))

/** A row of the single sign-on settings; all are locked alike. */
export type SignOnRow = Omit<SettingDefinition, 'lockedUnless'>

/** Creates the rows for keys and secrets of one provider. */
const clientRows = <Prefix extends string>(
  prefix: Prefix,
  what: string,
  /** Follows the names of the rows. */
  ofProvider: string,
  aliases: { readonly id?: string; readonly secret?: string } = {},
) =>
  [
    text(`${prefix}_CLIENT_ID`, '', {
      name: `Client ID${ofProvider}`,
      searchWords: ofProvider === '' ? 'sso oidc' : 'sso',
      alias: aliases.id,
      help: `What ${what} knows this gateway by.`,
    }),
    secret(`${prefix}_CLIENT_SECRET`, {
      name: `Client secret${ofProvider}`,
      searchWords: ofProvider === '' ? 'sso oidc' : 'sso',
      alias: aliases.secret,
      help: 'The secret that belongs to it.',
    }),
  ] as const satisfies readonly SignOnRow[]

/** The provider of the variables OPENID_* and OAUTH_*. */
export const genericProvider = [
  text('OAUTH_PROVIDER_NAME', 'SSO', {
    name: 'Sign-in provider name',
    searchWords: 'sso oidc',
    help: 'Name of the provider at OPENID_PROVIDER_URL on the sign-in page.',
  }),
  ...clientRows('OAUTH', 'this provider', ''),
  address('OPENID_PROVIDER_URL', '', {
    name: 'Sign-in provider address',
    searchWords: 'sso oidc discovery',
    help: 'Address of the provider’s configuration, ending in /.well-known/openid-configuration.',
  }),
  address('OPENID_REDIRECT_URI', '', {
    name: 'Return address after sign-in',
    searchWords: 'sso oidc callback',
    help: 'Return address after sign-in; empty uses WEBUI_URL with /oauth/oidc/callback.',
  }),
  text('OAUTH_SCOPES', 'openid email profile', {
    name: 'Requested scopes',
    searchWords: 'sso oidc',
    help: 'Scopes requested from the provider, separated by spaces.',
  }),
  text('OAUTH_AUDIENCE', '', {
    name: 'Audience',
    searchWords: 'sso oidc',
    help: 'Sent to the provider as the audience, if it needs one.',
  }),
  address('OPENID_END_SESSION_ENDPOINT', '', {
    name: 'Provider’s sign-out address',
    searchWords: 'sso oidc logout',
    help: 'Where people are sent after signing out, so that they are also signed out at the provider; empty uses the provider’s own address.',
  }),
  integer('OAUTH_TIMEOUT', 10, [1, 120], {
    name: 'Time limit for the sign-in provider',
    help: 'How many seconds a provider may take to answer.',
  }),
] as const satisfies readonly SignOnRow[]

/** The named providers. */
export const namedProviders = [
  text('IDPA_PROVIDER_NAME', 'Google', {
    name: 'Name of provider A',
    help: 'Name of the first provider on the sign-in page.',
  }),
  ...clientRows('IDPA', 'the first named provider', ' of provider A', {
    id: 'GOOGLE_CLIENT_ID',
    secret: 'GOOGLE_CLIENT_SECRET',
  }),
  address('IDPA_PROVIDER_URL', '', {
    name: 'Address of provider A',
    help: 'Address of its configuration; empty uses OPENID_PROVIDER_URL unless OAUTH_CLIENT_ID is set, otherwise Google’s address.',
  }),
  text('IDPA_OAUTH_SCOPE', 'openid email profile', {
    name: 'Scopes of provider A',
    alias: 'GOOGLE_OAUTH_SCOPE',
    help: 'Requested scopes.',
  }),
  address('IDPA_REDIRECT_URI', '', {
    name: 'Return address of provider A',
    alias: 'GOOGLE_REDIRECT_URI',
    help: 'Return address after sign-in; empty uses WEBUI_URL with /oauth/idpa/callback.',
  }),
  json('IDPA_OAUTH_AUTHORIZE_PARAMS', '{}', {
    name: 'Additional sign-in parameters of provider A',
    alias: 'GOOGLE_OAUTH_AUTHORIZE_PARAMS',
    json: {
      schema: paramsSchema,
      words: 'a JSON object of texts such as {"prompt": "select_account"}',
    },
    help: 'Additional parameters for its sign-in page, such as prompt, login_hint and hd. They do not replace what the gateway itself sends.',
  }),
  text('IDPB_PROVIDER_NAME', 'Microsoft', {
    name: 'Name of provider B',
    help: 'Name of the second provider on the sign-in page.',
  }),
  ...clientRows('IDPB', 'the second named provider', ' of provider B', {
    id: 'MICROSOFT_CLIENT_ID',
    secret: 'MICROSOFT_CLIENT_SECRET',
  }),
  text('IDPB_CLIENT_TENANT_ID', '', {
    name: 'Tenant of provider B',
    alias: 'MICROSOFT_CLIENT_TENANT_ID',
    pattern: { expression: /^[\w.-]{0,200}$/, words: 'the id of a tenant' },
    help: 'The tenant whose people can sign in; tokens of other tenants are rejected.',
  }),
  address('IDPB_PROVIDER_URL', '', {
    name: 'Address of provider B',
    help: 'Address of its configuration; empty uses OPENID_PROVIDER_URL unless OAUTH_CLIENT_ID is set, otherwise the tenant’s address at Microsoft.',
  }),
  text('IDPB_OAUTH_SCOPE', 'openid email profile', {
    name: 'Scopes of provider B',
    alias: 'MICROSOFT_OAUTH_SCOPE',
    help: 'Requested scopes. With offline_access its tokens can be renewed; without it, tools that need them fail after about an hour.',
  }),
  address('IDPB_REDIRECT_URI', '', {
    name: 'Return address of provider B',
    alias: 'MICROSOFT_REDIRECT_URI',
    help: 'Return address after sign-in; empty uses WEBUI_URL with /oauth/idpb/callback.',
  }),
  text('IDPC_PROVIDER_NAME', 'GitHub', {
    name: 'Name of provider C',
    help: 'Name of the third provider on the sign-in page.',
  }),
  ...clientRows('IDPC', 'the third named provider', ' of provider C', {
    id: 'GITHUB_CLIENT_ID',
    secret: 'GITHUB_CLIENT_SECRET',
  }),
  text('IDPC_OAUTH_SCOPE', 'user:email', {
    name: 'Scopes of provider C',
    alias: 'GITHUB_CLIENT_SCOPE',
    help: 'Requested scopes.',
  }),
  address('IDPC_REDIRECT_URI', '', {
    name: 'Return address of provider C',
    alias: 'GITHUB_CLIENT_REDIRECT_URI',
    help: 'Return address after sign-in; empty uses WEBUI_URL with /oauth/idpc/callback.',
  }),
  address('IDPC_AUTHORIZE_URL', 'https://github.com/login/oauth/authorize', {
    name: 'Sign-in page of provider C',
    help: 'Its sign-in page.',
  }),
  address('IDPC_TOKEN_URL', 'https://github.com/login/oauth/access_token', {
    name: 'Token address of provider C',
    help: 'Where it exchanges the code of a sign-in.',
  }),
  address('IDPC_API_URL', 'https://api.github.com', {
    name: 'API address of provider C',
    help: 'Where it returns who someone is, at /user, and which of their addresses are verified, at /user/emails.',
  }),
] as const satisfies readonly SignOnRow[]
