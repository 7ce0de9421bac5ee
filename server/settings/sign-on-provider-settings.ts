import { z } from 'zod'
import type { SettingDefinition } from './setting-definition.ts'
import { WEB_ADDRESS } from './web-address.ts'

const paramsSchema = z.record(z.string().max(100), z.string().max(2000))

/** A row of the single sign-on settings; all are locked alike. */
export type SignOnRow = Omit<SettingDefinition, 'lockedUnless'>

/** Creates the rows for keys and secrets of one provider. */
const clientRows = <Prefix extends string>(
  prefix: Prefix,
  what: string,
  aliases: { readonly id?: string; readonly secret?: string } = {},
) =>
  [
    {
      key: `${prefix}_CLIENT_ID`,
      alias: aliases.id,
      type: 'string',
      default: '',
      help: `What ${what} knows this gateway by.`,
    },
    {
      key: `${prefix}_CLIENT_SECRET`,
      alias: aliases.secret,
      type: 'string',
      default: '',
      secret: true,
      help: 'The secret that belongs to it.',
    },
  ] as const satisfies readonly SignOnRow[]

/** The provider of the variables OPENID_* and OAUTH_*. */
export const genericProvider = [
  {
    key: 'OAUTH_PROVIDER_NAME',
    type: 'string',
    default: 'SSO',
    help: 'Name of the provider at OPENID_PROVIDER_URL on the sign-in page.',
  },
  ...clientRows('OAUTH', 'this provider'),
  {
    key: 'OPENID_PROVIDER_URL',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Address of the provider’s configuration, ending in /.well-known/openid-configuration.',
  },
  {
    key: 'OPENID_REDIRECT_URI',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Return address after sign-in; empty uses WEBUI_URL with /oauth/oidc/callback.',
  },
  {
    key: 'OAUTH_SCOPES',
    type: 'string',
    default: 'openid email profile',
    help: 'Scopes requested from the provider, separated by spaces.',
  },
  {
    key: 'OAUTH_AUDIENCE',
    type: 'string',
    default: '',
    help: 'Sent to the provider as the audience, if it needs one.',
  },
  {
    key: 'OPENID_END_SESSION_ENDPOINT',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Where people are sent after signing out, so that they are also signed out at the provider; empty uses the provider’s own address.',
  },
  {
    key: 'OAUTH_TIMEOUT',
    type: 'integer',
    default: 10,
    minimum: 1,
    maximum: 120,
    help: 'How many seconds a provider may take to answer.',
  },
] as const satisfies readonly SignOnRow[]

/** The named providers. */
export const namedProviders = [
  {
    key: 'IDPA_PROVIDER_NAME',
    type: 'string',
    default: 'Google',
    help: 'Name of the first provider on the sign-in page.',
  },
  ...clientRows('IDPA', 'the first named provider', {
    id: 'GOOGLE_CLIENT_ID',
    secret: 'GOOGLE_CLIENT_SECRET',
  }),
  {
    key: 'IDPA_PROVIDER_URL',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Address of its configuration; empty uses OPENID_PROVIDER_URL unless OAUTH_CLIENT_ID is set, otherwise Google’s address.',
  },
  {
    key: 'IDPA_OAUTH_SCOPE',
    alias: 'GOOGLE_OAUTH_SCOPE',
    type: 'string',
    default: 'openid email profile',
    help: 'Requested scopes.',
  },
  {
    key: 'IDPA_REDIRECT_URI',
    alias: 'GOOGLE_REDIRECT_URI',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Return address after sign-in; empty uses WEBUI_URL with /oauth/idpa/callback.',
  },
  {
    key: 'IDPA_OAUTH_AUTHORIZE_PARAMS',
    alias: 'GOOGLE_OAUTH_AUTHORIZE_PARAMS',
    type: 'json',
    default: '{}',
    json: {
      schema: paramsSchema,
      words: 'a JSON object of texts such as {"prompt": "select_account"}',
    },
    help: 'Additional parameters for its sign-in page, such as prompt, login_hint and hd. They do not replace what the gateway itself sends.',
  },
  {
    key: 'IDPB_PROVIDER_NAME',
    type: 'string',
    default: 'Microsoft',
    help: 'Name of the second provider on the sign-in page.',
  },
  ...clientRows('IDPB', 'the second named provider', {
    id: 'MICROSOFT_CLIENT_ID',
    secret: 'MICROSOFT_CLIENT_SECRET',
  }),
  {
    key: 'IDPB_CLIENT_TENANT_ID',
    alias: 'MICROSOFT_CLIENT_TENANT_ID',
    type: 'string',
    default: '',
    pattern: { expression: /^[\w.-]{0,200}$/, words: 'the id of a tenant' },
    help: 'The tenant whose people can sign in; tokens of other tenants are rejected.',
  },
  {
    key: 'IDPB_PROVIDER_URL',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Address of its configuration; empty uses OPENID_PROVIDER_URL unless OAUTH_CLIENT_ID is set, otherwise the tenant’s address at Microsoft.',
  },
  {
    key: 'IDPB_OAUTH_SCOPE',
    alias: 'MICROSOFT_OAUTH_SCOPE',
    type: 'string',
    default: 'openid email profile',
    help: 'Requested scopes. With offline_access its tokens can be renewed; without it, tools that need them fail after about an hour.',
  },
  {
    key: 'IDPB_REDIRECT_URI',
    alias: 'MICROSOFT_REDIRECT_URI',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Return address after sign-in; empty uses WEBUI_URL with /oauth/idpb/callback.',
  },
  {
    key: 'IDPC_PROVIDER_NAME',
    type: 'string',
    default: 'GitHub',
    help: 'Name of the third provider on the sign-in page.',
  },
  ...clientRows('IDPC', 'the third named provider', {
    id: 'GITHUB_CLIENT_ID',
    secret: 'GITHUB_CLIENT_SECRET',
  }),
  {
    key: 'IDPC_OAUTH_SCOPE',
    alias: 'GITHUB_CLIENT_SCOPE',
    type: 'string',
    default: 'user:email',
    help: 'Requested scopes.',
  },
  {
    key: 'IDPC_REDIRECT_URI',
    alias: 'GITHUB_CLIENT_REDIRECT_URI',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Return address after sign-in; empty uses WEBUI_URL with /oauth/idpc/callback.',
  },
  {
    key: 'IDPC_AUTHORIZE_URL',
    type: 'string',
    default: 'https://github.com/login/oauth/authorize',
    pattern: WEB_ADDRESS,
    help: 'Its sign-in page.',
  },
  {
    key: 'IDPC_TOKEN_URL',
    type: 'string',
    default: 'https://github.com/login/oauth/access_token',
    pattern: WEB_ADDRESS,
    help: 'Where it exchanges the code of a sign-in.',
  },
  {
    key: 'IDPC_API_URL',
    type: 'string',
    default: 'https://api.github.com',
    pattern: WEB_ADDRESS,
    help: 'Where it returns who someone is, at /user, and which of their addresses are verified, at /user/emails.',
  },
] as const satisfies readonly SignOnRow[]
