import { z } from 'zod'
import type { SettingDefinition } from './setting-definition.ts'
import { genericProvider, namedProviders, type SignOnRow } from './sign-on-provider-settings.ts'

/** The variable that lets the rows of this page be changed while the gateway runs. */
export const SINGLE_SIGN_ON_SWITCH = 'ENABLE_OAUTH_PERSISTENT_CONFIG'

const CLAIM = {
  expression: /^[^\s]{0,200}$/,
  words: 'the name of a claim, or names with dots between them such as realm_access.roles',
}

const patternsSchema = z.array(z.string().max(200)).max(1000)

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
] as const satisfies readonly SignOnRow[]

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
] as const satisfies readonly SignOnRow[]

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
] as const satisfies readonly SignOnRow[]

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
] as const satisfies readonly SignOnRow[]

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
