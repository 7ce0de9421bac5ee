import { integer, secret, text, toggle } from '../rows.ts'
import type { SettingDefinition } from '../setting-definition.ts'

const ATTRIBUTE = { expression: /^[A-Za-z][\w;.-]{0,99}$/, words: 'the name of an attribute' }

/**
 * Switch that disables sign-in; set where the gateway is started, because it gives access to
 * everything.
 */
export const openDoor = [
  toggle('WEBUI_AUTH', true, {
    name: 'Require sign-in',
    searchWords: 'login single user no password',
    environmentOnly: true,
    help: 'When off, anyone who opens the gateway on its own machine is its administrator, without a password. The app ignores this.',
  }),
  toggle('WEBUI_AUTH_OPEN_TO_NETWORK', false, {
    name: 'Allow the network without sign-in',
    searchWords: 'lan',
    environmentOnly: true,
    help: 'Applies to other machines too what holds while WEBUI_AUTH is off: anyone who can reach the gateway is its administrator.',
  }),
] as const satisfies readonly SettingDefinition[]

/**
 * Headers that would break a request, or have another meaning in it, are not valid for an identity.
 */
const IDENTITY_HEADER = {
  expression:
    /^(?!(?:authorization|connection|content-.*|cookie|expect|forwarded|host|origin|sec-.*|te|trailer|transfer-encoding|upgrade|x-api-key|x-forwarded-(?:for|host|port|proto|server)|x-session-key)$)[!#$%&'*+.^_`|~\w-]{0,100}$/i,
  words: 'the name of a header that says nothing else of a request',
}

/**
 * Headers by which a proxy in front signs users in; setting them gives the proxy access to every
 * account.
 */
export const trustedHeaders = [
  text('WEBUI_AUTH_TRUSTED_EMAIL_HEADER', '', {
    name: 'Proxy header with the email address',
    environmentOnly: true,
    pattern: IDENTITY_HEADER,
    help: 'Header in which a proxy listed in TRUSTED_PROXIES sends the email address of the signed-in person. Empty turns sign-in by proxy off.',
  }),
  text('WEBUI_AUTH_TRUSTED_NAME_HEADER', '', {
    name: 'Proxy header with the name',
    environmentOnly: true,
    pattern: IDENTITY_HEADER,
    help: 'Header with the name of new accounts; without it they are named after their address.',
  }),
  text('WEBUI_AUTH_TRUSTED_GROUPS_HEADER', '', {
    name: 'Proxy header with the groups',
    environmentOnly: true,
    pattern: IDENTITY_HEADER,
    help: 'Header with group names, separated by commas. At each sign-in, people belong to exactly those groups that exist.',
  }),
  text('WEBUI_AUTH_TRUSTED_ROLE_HEADER', '', {
    name: 'Proxy header with the role',
    environmentOnly: true,
    pattern: IDENTITY_HEADER,
    help: 'Header with the role people get when they sign in: admin, user or pending.',
  }),
] as const satisfies readonly SettingDefinition[]

/** Settings of accounts and groups provisioned by the directory of an organisation. */
export const provisioning = [
  toggle('ENABLE_SCIM', false, {
    name: 'Account provisioning (SCIM)',
    searchWords: 'directory sync',
    help: 'Lets an organisation’s directory create, change and delete accounts and groups (SCIM 2.0, /api/v1/scim/v2).',
  }),
  secret('SCIM_TOKEN', {
    name: 'Token for account provisioning',
    searchWords: 'scim',
    pattern: {
      expression: /^[\w.~+/=-]{0,8192}$/,
      words: 'letters, digits and the signs . _ ~ + / = -',
    },
    help: 'Bearer token the directory signs in with. Anyone who has it can manage every account; empty lets no one in.',
  }),
] as const satisfies readonly SettingDefinition[]

/** Requirements for new passwords. */
export const passwordRules = [
  toggle('ENABLE_PASSWORD_VALIDATION', false, {
    name: 'Check new passwords',
    searchWords: 'strength policy complexity',
    help: 'Checks new passwords against a rule.',
  }),
  text('PASSWORD_VALIDATION_REGEX_PATTERN', '', {
    name: 'Rule for new passwords',
    searchWords: 'strength policy complexity',
    help: 'The rule as a regular expression; empty requires eight characters with a lower-case and an upper-case letter, a digit and a symbol.',
  }),
  text('PASSWORD_VALIDATION_HINT', '', {
    name: 'Explanation of the password rule',
    searchWords: 'policy',
    help: 'Shown to people when a password does not match the rule.',
  }),
] as const satisfies readonly SettingDefinition[]

/** Settings of the directory users sign in with. */
export const ldapSettings = [
  toggle('ENABLE_LDAP', false, {
    name: 'LDAP sign-in',
    searchWords: 'directory active',
    help: 'Lets people sign in with their account in a directory (LDAP).',
  }),
  text('LDAP_SERVER_LABEL', 'LDAP', {
    name: 'Directory name',
    help: 'Name of the directory on the sign-in page.',
  }),
  text('LDAP_SERVER_HOST', 'localhost', {
    name: 'Directory server',
    help: 'Host name of the directory.',
  }),
  integer('LDAP_SERVER_PORT', 389, [1, 65_535], {
    name: 'Directory port',
    help: 'Port of the directory.',
  }),
  toggle('LDAP_USE_TLS', true, {
    name: 'Encrypt the directory connection',
    searchWords: 'ssl secure',
    help: 'Connects to the directory over TLS. Off sends passwords unencrypted.',
  }),
  text('LDAP_TLS_MODE', 'auto', {
    name: 'Directory encryption mode',
    searchWords: 'starttls ssl',
    allowed: ['auto', 'starttls', 'direct'],
    help: 'starttls encrypts a connection that begins unencrypted, direct uses TLS from the start, auto uses starttls on port 389 only.',
  }),
  toggle('LDAP_VALIDATE_CERT', true, {
    name: 'Verify the directory’s certificate',
    searchWords: 'tls ssl',
    help: 'Rejects a directory whose certificate is not trusted.',
  }),
  text('LDAP_CA_CERT_FILE', '', {
    name: 'Certificate authority for the directory',
    searchWords: 'tls ssl',
    help: 'A file on the gateway’s machine with the certificates to trust; empty trusts the usual ones.',
  }),
  text('LDAP_CIPHERS', 'ALL', {
    name: 'Ciphers for the directory connection',
    searchWords: 'tls ssl',
    help: 'OpenSSL names of the ciphers to use; ALL uses the usual ones.',
  }),
  text('LDAP_APP_DN', '', {
    name: 'Account that searches the directory',
    searchWords: 'bind',
    help: 'Account used to search the directory; empty searches without signing in.',
  }),
  secret('LDAP_APP_PASSWORD', {
    name: 'Password of that account',
    searchWords: 'bind',
    help: 'Password of that account.',
  }),
  text('LDAP_SEARCH_BASE', '', {
    name: 'Directory search base',
    searchWords: 'base dn',
    help: 'Where in the directory to search for people.',
  }),
  text('LDAP_SEARCH_FILTERS', '', {
    name: 'Directory search filter',
    alias: 'LDAP_SEARCH_FILTER',
    help: 'Only entries that match this filter can sign in, such as (memberOf=cn=chat,ou=groups,dc=example,dc=org).',
  }),
  text('LDAP_ATTRIBUTE_FOR_USERNAME', 'uid', {
    name: 'User name attribute',
    pattern: ATTRIBUTE,
    help: 'Attribute with the user name people type; sAMAccountName in Active Directory.',
  }),
  text('LDAP_ATTRIBUTE_FOR_MAIL', 'mail', {
    name: 'Email attribute',
    pattern: ATTRIBUTE,
    help: 'Attribute with the email address.',
  }),
] as const satisfies readonly SettingDefinition[]
