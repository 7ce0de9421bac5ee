import { z } from '#contract/lazy-zod.ts'
import { integer, json, list, secret, text, toggle } from '../rows.ts'
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
  toggle('ENABLE_OAUTH_SIGNUP', false, {
    name: 'New accounts through single sign-on',
    searchWords: 'sso oidc register',
    help: 'Creates an account at the first sign-in with a provider, even while sign-up is closed.',
  }),
  toggle('OAUTH_MERGE_ACCOUNTS_BY_EMAIL', false, {
    name: 'Link accounts with the same email',
    searchWords: 'sso merge',
    help: 'Links the first sign-in to the account with the same email address, if the provider has verified the address.',
  }),
  list('OAUTH_ALLOWED_DOMAINS', ['*'], {
    name: 'Email domains that may sign in',
    pattern: {
      expression: /^(\*|@?[a-z\d]([a-z\d.-]*[a-z\d])?)$/i,
      words: 'a domain such as example.org, or * for all',
    },
    help: 'Email domains that can sign in with a provider; * allows all.',
  }),
  toggle('OAUTH_AUTO_REDIRECT', false, {
    name: 'Go straight to the provider',
    searchWords: 'sso skip login',
    help: 'Sends people from the sign-in page straight to the provider. Needs exactly one provider, no directory, and ENABLE_LOGIN_FORM to be off.',
  }),
  text('OAUTH_SUB_CLAIM', '', {
    name: 'Claim that identifies a person',
    searchWords: 'sso oidc subject',
    pattern: CLAIM,
    help: 'Claim that permanently identifies a person; empty uses sub.',
  }),
  text('OAUTH_EMAIL_CLAIM', 'email', {
    name: 'Email claim',
    pattern: CLAIM,
    help: 'Claim with the email address.',
  }),
  text('OAUTH_USERNAME_CLAIM', 'name', {
    name: 'Name claim',
    pattern: CLAIM,
    help: 'Claim with the name; if it is missing, the email address is used.',
  }),
  toggle('OAUTH_UPDATE_NAME_ON_LOGIN', false, {
    name: 'Update name at sign-in',
    help: 'Updates the name at every sign-in.',
  }),
  toggle('OAUTH_UPDATE_EMAIL_ON_LOGIN', false, {
    name: 'Update email at sign-in',
    help: 'Updates the email address at every sign-in, if it is not taken.',
  }),
  text('OAUTH_PICTURE_CLAIM', 'picture', {
    name: 'Profile picture claim',
    searchWords: 'sso avatar',
    pattern: CLAIM,
    help: 'Claim with the address of the profile picture; empty uses none.',
  }),
  toggle('OAUTH_UPDATE_PICTURE_ON_LOGIN', false, {
    name: 'Update profile picture at sign-in',
    searchWords: 'sso avatar',
    help: 'Updates the profile picture at every sign-in, not only at the first.',
  }),
] as const satisfies readonly SignOnRow[]

const roles = [
  toggle('ENABLE_OAUTH_ROLE_MANAGEMENT', false, {
    name: 'Take roles from the provider',
    help: 'Lets the provider decide the role of its people at every sign-in.',
  }),
  text('OAUTH_ROLES_CLAIM', 'roles', {
    name: 'Roles claim',
    pattern: CLAIM,
    help: 'Claim with the roles.',
  }),
  list('OAUTH_ALLOWED_ROLES', [], {
    name: 'Roles that may sign in',
    help: 'Roles of the provider that give the role user.',
  }),
  list('OAUTH_ADMIN_ROLES', [], {
    name: 'Administrator roles',
    help: 'Roles of the provider that give the role admin.',
  }),
  text('OAUTH_ROLES_SEPARATOR', ',', {
    name: 'Role separator',
    help: 'Separator between roles if the claim is a single text.',
  }),
] as const satisfies readonly SignOnRow[]

const groups = [
  toggle('ENABLE_OAUTH_GROUP_MANAGEMENT', false, {
    name: 'Take groups from the provider',
    help: 'Lets the provider decide at every sign-in which groups people belong to; they leave all others, including those they were added to here.',
  }),
  text('OAUTH_GROUP_CLAIM', 'groups', {
    name: 'Groups claim',
    alias: 'OAUTH_GROUPS_CLAIM',
    pattern: CLAIM,
    help: 'Claim with the groups.',
  }),
  text('OAUTH_GROUPS_SEPARATOR', ';', {
    name: 'Group separator',
    help: 'Separator between groups if the claim is a single text.',
  }),
  toggle('ENABLE_OAUTH_GROUP_CREATION', false, {
    name: 'Create missing groups',
    help: 'Creates groups from the claim that do not exist yet.',
  }),
  text('OAUTH_GROUP_DEFAULT_SHARE', 'true', {
    name: 'Who can share with new groups',
    allowed: ['true', 'members', 'false'],
    help: 'Who can share with groups created this way: everyone, only members, or no one.',
  }),
  json('OAUTH_BLOCKED_GROUPS', '[]', {
    name: 'Groups to ignore',
    json: { schema: patternsSchema, words: 'a JSON list of names, in which * stands for anything' },
    help: 'Groups that sign-ins do not touch: no one joins, leaves or creates them through a claim.',
  }),
] as const satisfies readonly SignOnRow[]

const tokens = [
  integer('OAUTH_MAX_SESSIONS_PER_USER', 10, [1, 1000], {
    name: 'Provider sessions per person',
    help: 'How many sign-ins per person and provider keep their tokens; the oldest is dropped first.',
  }),
  toggle('ENABLE_OAUTH_ID_TOKEN_COOKIE', true, {
    name: 'Keep the identity token in a cookie',
    help: 'Sets the cookie oauth_id_token for old clients. Off is safer.',
  }),
  toggle('ENABLE_OAUTH_TOKEN_EXCHANGE', false, {
    name: 'Exchange provider tokens',
    help: 'Lets programs exchange an access token that a provider issued for this gateway for a session here.',
  }),
  toggle('ENABLE_OAUTH_BACKCHANNEL_LOGOUT', false, {
    name: 'Sign-out through the provider',
    searchWords: 'sso logout',
    help: 'Lets providers report who has signed out there (/oauth/backchannel-logout). With REDIS_URL their sessions here end at once.',
  }),
] as const satisfies readonly SignOnRow[]

/** Settings made where the gateway is started, because all stored data depends on them. */
const atStart = [
  toggle(SINGLE_SIGN_ON_SWITCH, false, {
    name: 'Change single sign-on here',
    searchWords: 'sso oidc',
    environmentOnly: true,
    help: 'Lets administrators change the settings of sign-in providers here; otherwise only environment variables apply.',
  }),
  secret('OAUTH_SESSION_TOKEN_ENCRYPTION_KEY', {
    name: 'Key that protects provider tokens',
    searchWords: 'sso',
    environmentOnly: true,
    help: 'Secret that protects stored provider tokens; empty uses the secret of the gateway itself. Changing it ends those sign-ins.',
  }),
  secret('OAUTH_CLIENT_INFO_ENCRYPTION_KEY', {
    name: 'Key that protects client details',
    searchWords: 'sso',
    environmentOnly: true,
    help: 'Secret that protects stored registrations with tool servers; empty uses the secret of the gateway itself.',
  }),
  secret('REDIS_URL', {
    name: 'Redis server',
    searchWords: 'cluster',
    environmentOnly: true,
    pattern: {
      expression: /^(rediss?:\/\/\S+)?$/i,
      words: 'an address that starts with redis:// or rediss://',
    },
    help: 'Redis where several gateways on one PostgreSQL database hear each other; each of them needs the same one (docs/redis.md). With SQLite it records when a provider has ended all sessions of a person.',
  }),
] as const satisfies readonly SettingDefinition[]

/** Settings of sign-in with the account of another provider (OAuth, OpenID Connect). */
export const singleSignOnSettings = [
  ...atStart,
  ...[...accounts, ...genericProvider, ...namedProviders, ...roles, ...groups, ...tokens].map(
    (row) => ({
      searchWords: 'sso',
      ...row,
      lockedUnless: SINGLE_SIGN_ON_SWITCH,
    }),
  ),
] as const satisfies readonly SettingDefinition[]
