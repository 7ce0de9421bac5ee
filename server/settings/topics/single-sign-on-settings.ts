import { z } from 'zod'
import type { SettingDefinition } from '../setting-definition.ts'
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
    name: 'New accounts through single sign-on',
    searchWords: 'sso oidc register',
    type: 'boolean',
    default: false,
    help: 'Creates an account at the first sign-in with a provider, even while sign-up is closed.',
  },
  {
    key: 'OAUTH_MERGE_ACCOUNTS_BY_EMAIL',
    name: 'Link accounts with the same email',
    searchWords: 'sso merge',
    type: 'boolean',
    default: false,
    help: 'Links the first sign-in to the account with the same email address, if the provider has verified the address.',
  },
  {
    key: 'OAUTH_ALLOWED_DOMAINS',
    name: 'Email domains that may sign in',
    searchWords: 'sso',
    type: 'list',
    default: ['*'],
    pattern: {
      expression: /^(\*|@?[a-z\d]([a-z\d.-]*[a-z\d])?)$/i,
      words: 'a domain such as example.org, or * for all',
    },
    help: 'Email domains that can sign in with a provider; * allows all.',
  },
  {
    key: 'OAUTH_AUTO_REDIRECT',
    name: 'Go straight to the provider',
    searchWords: 'sso skip login',
    type: 'boolean',
    default: false,
    help: 'Sends people from the sign-in page straight to the provider. Needs exactly one provider, no directory, and ENABLE_LOGIN_FORM to be off.',
  },
  {
    key: 'OAUTH_SUB_CLAIM',
    name: 'Claim that identifies a person',
    searchWords: 'sso oidc subject',
    type: 'string',
    default: '',
    pattern: CLAIM,
    help: 'Claim that permanently identifies a person; empty uses sub.',
  },
  {
    key: 'OAUTH_EMAIL_CLAIM',
    name: 'Email claim',
    searchWords: 'sso',
    type: 'string',
    default: 'email',
    pattern: CLAIM,
    help: 'Claim with the email address.',
  },
  {
    key: 'OAUTH_USERNAME_CLAIM',
    name: 'Name claim',
    searchWords: 'sso',
    type: 'string',
    default: 'name',
    pattern: CLAIM,
    help: 'Claim with the name; if it is missing, the email address is used.',
  },
  {
    key: 'OAUTH_UPDATE_NAME_ON_LOGIN',
    name: 'Update name at sign-in',
    searchWords: 'sso',
    type: 'boolean',
    default: false,
    help: 'Updates the name at every sign-in.',
  },
  {
    key: 'OAUTH_UPDATE_EMAIL_ON_LOGIN',
    name: 'Update email at sign-in',
    searchWords: 'sso',
    type: 'boolean',
    default: false,
    help: 'Updates the email address at every sign-in, if it is not taken.',
  },
  {
    key: 'OAUTH_PICTURE_CLAIM',
    name: 'Profile picture claim',
    searchWords: 'sso avatar',
    type: 'string',
    default: 'picture',
    pattern: CLAIM,
    help: 'Claim with the address of the profile picture; empty uses none.',
  },
  {
    key: 'OAUTH_UPDATE_PICTURE_ON_LOGIN',
    name: 'Update profile picture at sign-in',
    searchWords: 'sso avatar',
    type: 'boolean',
    default: false,
    help: 'Updates the profile picture at every sign-in, not only at the first.',
  },
] as const satisfies readonly SignOnRow[]

const roles = [
  {
    key: 'ENABLE_OAUTH_ROLE_MANAGEMENT',
    name: 'Take roles from the provider',
    searchWords: 'sso',
    type: 'boolean',
    default: false,
    help: 'Lets the provider decide the role of its people at every sign-in.',
  },
  {
    key: 'OAUTH_ROLES_CLAIM',
    name: 'Roles claim',
    searchWords: 'sso',
    type: 'string',
    default: 'roles',
    pattern: CLAIM,
    help: 'Claim with the roles.',
  },
  {
    key: 'OAUTH_ALLOWED_ROLES',
    name: 'Roles that may sign in',
    searchWords: 'sso',
    type: 'list',
    default: [],
    help: 'Roles of the provider that give the role user.',
  },
  {
    key: 'OAUTH_ADMIN_ROLES',
    name: 'Administrator roles',
    searchWords: 'sso',
    type: 'list',
    default: [],
    help: 'Roles of the provider that give the role admin.',
  },
  {
    key: 'OAUTH_ROLES_SEPARATOR',
    name: 'Role separator',
    searchWords: 'sso',
    type: 'string',
    default: ',',
    help: 'Separator between roles if the claim is a single text.',
  },
] as const satisfies readonly SignOnRow[]

const groups = [
  {
    key: 'ENABLE_OAUTH_GROUP_MANAGEMENT',
    name: 'Take groups from the provider',
    searchWords: 'sso',
    type: 'boolean',
    default: false,
    help: 'Lets the provider decide at every sign-in which groups people belong to; they leave all others, including those they were added to here.',
  },
  {
    key: 'OAUTH_GROUP_CLAIM',
    name: 'Groups claim',
    searchWords: 'sso',
    alias: 'OAUTH_GROUPS_CLAIM',
    type: 'string',
    default: 'groups',
    pattern: CLAIM,
    help: 'Claim with the groups.',
  },
  {
    key: 'OAUTH_GROUPS_SEPARATOR',
    name: 'Group separator',
    searchWords: 'sso',
    type: 'string',
    default: ';',
    help: 'Separator between groups if the claim is a single text.',
  },
  {
    key: 'ENABLE_OAUTH_GROUP_CREATION',
    name: 'Create missing groups',
    searchWords: 'sso',
    type: 'boolean',
    default: false,
    help: 'Creates groups from the claim that do not exist yet.',
  },
  {
    key: 'OAUTH_GROUP_DEFAULT_SHARE',
    name: 'Who can share with new groups',
    searchWords: 'sso',
    type: 'string',
    default: 'true',
    allowed: ['true', 'members', 'false'],
    help: 'Who can share with groups created this way: everyone, only members, or no one.',
  },
  {
    key: 'OAUTH_BLOCKED_GROUPS',
    name: 'Groups to ignore',
    searchWords: 'sso',
    type: 'json',
    default: '[]',
    json: { schema: patternsSchema, words: 'a JSON list of names, in which * stands for anything' },
    help: 'Groups that sign-ins do not touch: no one joins, leaves or creates them through a claim.',
  },
] as const satisfies readonly SignOnRow[]

const tokens = [
  {
    key: 'OAUTH_MAX_SESSIONS_PER_USER',
    name: 'Provider sessions per person',
    searchWords: 'sso',
    type: 'integer',
    default: 10,
    minimum: 1,
    maximum: 1000,
    help: 'How many sign-ins per person and provider keep their tokens; the oldest is dropped first.',
  },
  {
    key: 'ENABLE_OAUTH_ID_TOKEN_COOKIE',
    name: 'Keep the identity token in a cookie',
    searchWords: 'sso',
    type: 'boolean',
    default: true,
    help: 'Sets the cookie oauth_id_token for old clients. Off is safer.',
  },
  {
    key: 'ENABLE_OAUTH_TOKEN_EXCHANGE',
    name: 'Exchange provider tokens',
    searchWords: 'sso',
    type: 'boolean',
    default: false,
    help: 'Lets programs exchange an access token that a provider issued for this gateway for a session here.',
  },
  {
    key: 'ENABLE_OAUTH_BACKCHANNEL_LOGOUT',
    name: 'Sign-out through the provider',
    searchWords: 'sso logout',
    type: 'boolean',
    default: false,
    help: 'Lets providers report who has signed out there (/oauth/backchannel-logout). With REDIS_URL their sessions here end at once.',
  },
] as const satisfies readonly SignOnRow[]

/** Settings made where the gateway is started, because all stored data depends on them. */
const atStart = [
  {
    key: SINGLE_SIGN_ON_SWITCH,
    name: 'Change single sign-on here',
    searchWords: 'sso oidc',
    type: 'boolean',
    default: false,
    environmentOnly: true,
    help: 'Lets administrators change the settings of sign-in providers here; otherwise only environment variables apply.',
  },
  {
    key: 'OAUTH_SESSION_TOKEN_ENCRYPTION_KEY',
    name: 'Key that protects provider tokens',
    searchWords: 'sso',
    type: 'string',
    default: '',
    secret: true,
    environmentOnly: true,
    help: 'Secret that protects stored provider tokens; empty uses the secret of the gateway itself. Changing it ends those sign-ins.',
  },
  {
    key: 'OAUTH_CLIENT_INFO_ENCRYPTION_KEY',
    name: 'Key that protects client details',
    searchWords: 'sso',
    type: 'string',
    default: '',
    secret: true,
    environmentOnly: true,
    help: 'Secret that protects stored registrations with tool servers; empty uses the secret of the gateway itself.',
  },
  {
    key: 'REDIS_URL',
    name: 'Redis server',
    searchWords: 'cluster',
    type: 'string',
    default: '',
    secret: true,
    environmentOnly: true,
    pattern: {
      expression: /^(rediss?:\/\/\S+)?$/i,
      words: 'an address that starts with redis:// or rediss://',
    },
    help: 'Redis where several gateways on one PostgreSQL database hear each other; each of them needs the same one (docs/redis.md). With SQLite it records when a provider has ended all sessions of a person.',
  },
] as const satisfies readonly SettingDefinition[]

/** Settings of sign-in with the account of another provider (OAuth, OpenID Connect). */
export const singleSignOnSettings = [
  ...atStart,
  ...[...accounts, ...genericProvider, ...namedProviders, ...roles, ...groups, ...tokens].map(
    (row) => ({
      ...row,
      lockedUnless: SINGLE_SIGN_ON_SWITCH,
    }),
  ),
] as const satisfies readonly SettingDefinition[]
