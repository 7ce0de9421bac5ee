import { z } from 'zod'
import type { SettingDefinition } from './setting-definition.ts'

/** The variable that lets the rows of this page be changed while the gateway runs. */
export const SINGLE_SIGN_ON_SWITCH = 'ENABLE_OAUTH_PERSISTENT_CONFIG'

const WEB_ADDRESS = {
  expression: /^(https?:\/\/[^\s/?#]+(\/\S*)?)?$/i,
  words: 'an address that starts with http:// or https://',
}
const CLAIM = {
  expression: /^[^\s]{0,200}$/,
  words: 'the name of a claim, or names with dots between them such as realm_access.roles',
}

const paramsSchema = z.record(z.string().max(100), z.string().max(2000))
const patternsSchema = z.array(z.string().max(200)).max(1000)

type Row = Omit<SettingDefinition, 'lockedUnless'>

/** Keys and secrets of one provider. */
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
  ] as const satisfies readonly Row[]

const accounts = [
  {
    key: 'ENABLE_OAUTH_SIGNUP',
    type: 'boolean',
    default: false,
    help: 'The first sign-in with a provider makes an account, also while sign-up is closed.',
  },
  {
    key: 'OAUTH_MERGE_ACCOUNTS_BY_EMAIL',
    type: 'boolean',
    default: false,
    help: 'A first sign-in gets the account that has its e-mail address, where the provider says that the address is verified.',
  },
  {
    key: 'OAUTH_ALLOWED_DOMAINS',
    type: 'list',
    default: ['*'],
    pattern: {
      expression: /^(\*|@?[a-z\d]([a-z\d.-]*[a-z\d])?)$/i,
      words: 'a domain such as example.org, or * for all',
    },
    help: 'Domains of e-mail addresses that may sign in with a provider; * lets in all.',
  },
  {
    key: 'OAUTH_AUTO_REDIRECT',
    type: 'boolean',
    default: false,
    help: 'Leads the sign-in page straight to the provider. Needs exactly one provider, ENABLE_LOGIN_FORM=false and no directory.',
  },
  {
    key: 'OAUTH_SUB_CLAIM',
    type: 'string',
    default: '',
    pattern: CLAIM,
    help: 'Claim that tells people apart for good; empty takes sub.',
  },
  {
    key: 'OAUTH_EMAIL_CLAIM',
    type: 'string',
    default: 'email',
    pattern: CLAIM,
    help: 'Claim with the e-mail address.',
  },
  {
    key: 'OAUTH_USERNAME_CLAIM',
    type: 'string',
    default: 'name',
    pattern: CLAIM,
    help: 'Claim with the name; where it is missing, the e-mail address is the name.',
  },
  {
    key: 'OAUTH_UPDATE_NAME_ON_LOGIN',
    type: 'boolean',
    default: false,
    help: 'Takes over the name at every sign-in.',
  },
  {
    key: 'OAUTH_UPDATE_EMAIL_ON_LOGIN',
    type: 'boolean',
    default: false,
    help: 'Takes over the e-mail address at every sign-in, if it is free.',
  },
  {
    key: 'OAUTH_PICTURE_CLAIM',
    type: 'string',
    default: 'picture',
    pattern: CLAIM,
    help: 'Claim with the address of a picture; empty takes over none.',
  },
  {
    key: 'OAUTH_UPDATE_PICTURE_ON_LOGIN',
    type: 'boolean',
    default: false,
    help: 'Takes over the picture at every sign-in, not only the first.',
  },
] as const satisfies readonly Row[]

const genericProvider = [
  {
    key: 'OAUTH_PROVIDER_NAME',
    type: 'string',
    default: 'SSO',
    help: 'What the sign-in page calls the provider of OPENID_PROVIDER_URL.',
  },
  ...clientRows('OAUTH', 'this provider'),
  {
    key: 'OPENID_PROVIDER_URL',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Where the provider describes itself: its address, which ends in /.well-known/openid-configuration.',
  },
  {
    key: 'OPENID_REDIRECT_URI',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Where people come back to; empty takes WEBUI_URL with /oauth/oidc/callback.',
  },
  {
    key: 'OAUTH_SCOPES',
    type: 'string',
    default: 'openid email profile',
    help: 'What is asked of the provider, with spaces between.',
  },
  {
    key: 'OAUTH_AUDIENCE',
    type: 'string',
    default: '',
    help: 'Sent to the provider as audience, where it wants one.',
  },
  {
    key: 'OPENID_END_SESSION_ENDPOINT',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Where people are led after signing out, so that they are signed out at the provider too; empty takes what it says of itself.',
  },
  {
    key: 'OAUTH_TIMEOUT',
    type: 'integer',
    default: 10,
    minimum: 1,
    maximum: 120,
    help: 'Seconds a provider may take to answer.',
  },
] as const satisfies readonly Row[]

const namedProviders = [
  {
    key: 'IDPA_PROVIDER_NAME',
    type: 'string',
    default: 'Google',
    help: 'What the sign-in page calls the first named provider.',
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
    help: 'Where it describes itself; empty takes OPENID_PROVIDER_URL unless OAUTH_CLIENT_ID is set, else the address of Google.',
  },
  {
    key: 'IDPA_OAUTH_SCOPE',
    alias: 'GOOGLE_OAUTH_SCOPE',
    type: 'string',
    default: 'openid email profile',
    help: 'What is asked of it.',
  },
  {
    key: 'IDPA_REDIRECT_URI',
    alias: 'GOOGLE_REDIRECT_URI',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Where people come back to; empty takes WEBUI_URL with /oauth/idpa/callback.',
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
    help: 'Sent to its sign-in page besides, such as prompt, login_hint and hd. What the gateway itself sends stays as it is.',
  },
  {
    key: 'IDPB_PROVIDER_NAME',
    type: 'string',
    default: 'Microsoft',
    help: 'What the sign-in page calls the second named provider.',
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
    help: 'The tenant whose people may sign in; tokens of others are refused.',
  },
  {
    key: 'IDPB_PROVIDER_URL',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Where it describes itself; empty takes OPENID_PROVIDER_URL unless OAUTH_CLIENT_ID is set, else the address of the tenant at Microsoft.',
  },
  {
    key: 'IDPB_OAUTH_SCOPE',
    alias: 'MICROSOFT_OAUTH_SCOPE',
    type: 'string',
    default: 'openid email profile',
    help: 'What is asked of it. With offline_access its tokens can be renewed; without, tools that need them fail after about an hour.',
  },
  {
    key: 'IDPB_REDIRECT_URI',
    alias: 'MICROSOFT_REDIRECT_URI',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Where people come back to; empty takes WEBUI_URL with /oauth/idpb/callback.',
  },
  {
    key: 'IDPC_PROVIDER_NAME',
    type: 'string',
    default: 'GitHub',
    help: 'What the sign-in page calls the third named provider.',
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
    help: 'What is asked of it.',
  },
  {
    key: 'IDPC_REDIRECT_URI',
    alias: 'GITHUB_CLIENT_REDIRECT_URI',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Where people come back to; empty takes WEBUI_URL with /oauth/idpc/callback.',
  },
  {
    key: 'IDPC_AUTHORIZE_URL',
    type: 'string',
    default: 'https://github.com/login/oauth/authorize',
    pattern: WEB_ADDRESS,
    help: 'Its page to sign in at.',
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
    help: 'Where it says who somebody is, at /user, and which of their addresses are verified, at /user/emails.',
  },
] as const satisfies readonly Row[]

const roles = [
  {
    key: 'ENABLE_OAUTH_ROLE_MANAGEMENT',
    type: 'boolean',
    default: false,
    help: 'The provider decides the role of who signs in with it, at every sign-in.',
  },
  {
    key: 'OAUTH_ROLES_CLAIM',
    type: 'string',
    default: 'roles',
    pattern: CLAIM,
    help: 'Claim with the roles.',
  },
  {
    key: 'OAUTH_ALLOWED_ROLES',
    type: 'list',
    default: [],
    help: 'Roles of the provider that give the role user.',
  },
  {
    key: 'OAUTH_ADMIN_ROLES',
    type: 'list',
    default: [],
    help: 'Roles of the provider that give the role admin.',
  },
  {
    key: 'OAUTH_ROLES_SEPARATOR',
    type: 'string',
    default: ',',
    help: 'What stands between the roles where the claim is one text.',
  },
] as const satisfies readonly Row[]

const groups = [
  {
    key: 'ENABLE_OAUTH_GROUP_MANAGEMENT',
    type: 'boolean',
    default: false,
    help: 'The provider decides at every sign-in which groups somebody is in; they leave all others, also those they were added to here.',
  },
  {
    key: 'OAUTH_GROUP_CLAIM',
    alias: 'OAUTH_GROUPS_CLAIM',
    type: 'string',
    default: 'groups',
    pattern: CLAIM,
    help: 'Claim with the groups.',
  },
  {
    key: 'OAUTH_GROUPS_SEPARATOR',
    type: 'string',
    default: ';',
    help: 'What stands between the groups where the claim is one text.',
  },
  {
    key: 'ENABLE_OAUTH_GROUP_CREATION',
    type: 'boolean',
    default: false,
    help: 'Makes groups the claim names and nobody made yet.',
  },
  {
    key: 'OAUTH_GROUP_DEFAULT_SHARE',
    type: 'string',
    default: 'true',
    allowed: ['true', 'members', 'false'],
    help: 'Who may share with groups that are made so: everybody, members alone, or nobody.',
  },
  {
    key: 'OAUTH_BLOCKED_GROUPS',
    type: 'json',
    default: '[]',
    json: { schema: patternsSchema, words: 'a JSON list of names, in which * stands for anything' },
    help: 'Groups that sign-ins leave alone: nobody joins, leaves or makes them by a claim.',
  },
] as const satisfies readonly Row[]

const tokens = [
  {
    key: 'OAUTH_MAX_SESSIONS_PER_USER',
    type: 'integer',
    default: 10,
    minimum: 1,
    maximum: 1000,
    help: 'Sign-ins of one person with one provider whose tokens are kept; the oldest goes first.',
  },
  {
    key: 'ENABLE_OAUTH_ID_TOKEN_COOKIE',
    type: 'boolean',
    default: true,
    help: 'Sets the cookie oauth_id_token for clients of old. Off is safer.',
  },
  {
    key: 'ENABLE_OAUTH_TOKEN_EXCHANGE',
    type: 'boolean',
    default: false,
    help: 'Programs may exchange an access token that a provider made for this gateway for a session here.',
  },
  {
    key: 'ENABLE_OAUTH_BACKCHANNEL_LOGOUT',
    type: 'boolean',
    default: false,
    help: 'Providers may report who signed out there (/oauth/backchannel-logout). With REDIS_URL their sessions here end at once.',
  },
] as const satisfies readonly Row[]

/** Decided where the gateway is started, since everything stored depends on it. */
const atStart = [
  {
    key: SINGLE_SIGN_ON_SWITCH,
    type: 'boolean',
    default: false,
    environmentOnly: true,
    help: 'Settings of sign-in with other providers can be changed here; otherwise only variables of the environment count.',
  },
  {
    key: 'OAUTH_SESSION_TOKEN_ENCRYPTION_KEY',
    type: 'string',
    default: '',
    secret: true,
    environmentOnly: true,
    help: 'Secret that tokens of providers are kept under; empty takes WEBUI_SECRET_KEY. Another one ends their sign-ins.',
  },
  {
    key: 'OAUTH_CLIENT_INFO_ENCRYPTION_KEY',
    type: 'string',
    default: '',
    secret: true,
    environmentOnly: true,
    help: 'Secret that registrations at tool servers are kept under; empty takes WEBUI_SECRET_KEY.',
  },
  {
    key: 'REDIS_URL',
    type: 'string',
    default: '',
    secret: true,
    environmentOnly: true,
    pattern: {
      expression: /^(rediss?:\/\/\S+)?$/i,
      words: 'an address that starts with redis:// or rediss://',
    },
    help: 'A store outside, where it is kept that a provider ended every session of somebody. Without it they last until they end.',
  },
] as const satisfies readonly SettingDefinition[]

/** Signing in with the account of another provider (OAuth, OpenID Connect). */
export const singleSignOnSettings = [
  ...atStart,
  ...[...accounts, ...genericProvider, ...namedProviders, ...roles, ...groups, ...tokens].map(
    (row) => ({
      ...row,
      lockedUnless: SINGLE_SIGN_ON_SWITCH,
    }),
  ),
] as const satisfies readonly SettingDefinition[]
