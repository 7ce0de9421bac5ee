import type { SettingDefinition } from '../setting-definition.ts'

const ATTRIBUTE = { expression: /^[A-Za-z][\w;.-]{0,99}$/, words: 'the name of an attribute' }

/**
 * Switch that disables sign-in; set where the gateway is started, because it gives access to
 * everything.
 */
export const openDoor = [
  {
    key: 'WEBUI_AUTH',
    name: 'Require sign-in',
    searchWords: 'login single user no password',
    type: 'boolean',
    default: true,
    environmentOnly: true,
    help: 'When off, anyone who opens the gateway on its own machine is its administrator, without a password. The app ignores this.',
  },
  {
    key: 'WEBUI_AUTH_OPEN_TO_NETWORK',
    name: 'Allow the network without sign-in',
    searchWords: 'lan',
    type: 'boolean',
    default: false,
    environmentOnly: true,
    help: 'Applies to other machines too what holds while WEBUI_AUTH is off: anyone who can reach the gateway is its administrator.',
  },
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
  {
    key: 'WEBUI_AUTH_TRUSTED_EMAIL_HEADER',
    name: 'Proxy header with the email address',
    type: 'string',
    default: '',
    environmentOnly: true,
    pattern: IDENTITY_HEADER,
    help: 'Header in which a proxy listed in TRUSTED_PROXIES sends the email address of the signed-in person. Empty turns sign-in by proxy off.',
  },
  {
    key: 'WEBUI_AUTH_TRUSTED_NAME_HEADER',
    name: 'Proxy header with the name',
    type: 'string',
    default: '',
    environmentOnly: true,
    pattern: IDENTITY_HEADER,
    help: 'Header with the name of new accounts; without it they are named after their address.',
  },
  {
    key: 'WEBUI_AUTH_TRUSTED_GROUPS_HEADER',
    name: 'Proxy header with the groups',
    type: 'string',
    default: '',
    environmentOnly: true,
    pattern: IDENTITY_HEADER,
    help: 'Header with group names, separated by commas. At each sign-in, people belong to exactly those groups that exist.',
  },
  {
    key: 'WEBUI_AUTH_TRUSTED_ROLE_HEADER',
    name: 'Proxy header with the role',
    type: 'string',
    default: '',
    environmentOnly: true,
    pattern: IDENTITY_HEADER,
    help: 'Header with the role people get when they sign in: admin, user or pending.',
  },
] as const satisfies readonly SettingDefinition[]

/** Settings of accounts and groups provisioned by the directory of an organisation. */
export const provisioning = [
  {
    key: 'ENABLE_SCIM',
    name: 'Account provisioning (SCIM)',
    searchWords: 'directory sync',
    type: 'boolean',
    default: false,
    help: 'Lets an organisation’s directory create, change and delete accounts and groups (SCIM 2.0, /api/v1/scim/v2).',
  },
  {
    key: 'SCIM_TOKEN',
    name: 'Token for account provisioning',
    searchWords: 'scim',
    type: 'string',
    default: '',
    secret: true,
    pattern: {
      expression: /^[\w.~+/=-]{0,8192}$/,
      words: 'letters, digits and the signs . _ ~ + / = -',
    },
    help: 'Bearer token the directory signs in with. Anyone who has it can manage every account; empty lets no one in.',
  },
] as const satisfies readonly SettingDefinition[]

/** Requirements for new passwords. */
export const passwordRules = [
  {
    key: 'ENABLE_PASSWORD_VALIDATION',
    name: 'Check new passwords',
    searchWords: 'strength policy complexity',
    type: 'boolean',
    default: false,
    help: 'Checks new passwords against a rule.',
  },
  {
    key: 'PASSWORD_VALIDATION_REGEX_PATTERN',
    name: 'Rule for new passwords',
    searchWords: 'strength policy complexity',
    type: 'string',
    default: '',
    help: 'The rule as a regular expression; empty requires eight characters with a lower-case and an upper-case letter, a digit and a symbol.',
  },
  {
    key: 'PASSWORD_VALIDATION_HINT',
    name: 'Explanation of the password rule',
    searchWords: 'policy',
    type: 'string',
    default: '',
    help: 'Shown to people when a password does not match the rule.',
  },
] as const satisfies readonly SettingDefinition[]

/** Settings of the directory users sign in with. */
export const ldapSettings = [
  {
    key: 'ENABLE_LDAP',
    name: 'LDAP sign-in',
    searchWords: 'directory active',
    type: 'boolean',
    default: false,
    help: 'Lets people sign in with their account in a directory (LDAP).',
  },
  {
    key: 'LDAP_SERVER_LABEL',
    name: 'Directory name',
    type: 'string',
    default: 'LDAP',
    help: 'Name of the directory on the sign-in page.',
  },
  {
    key: 'LDAP_SERVER_HOST',
    name: 'Directory server',
    type: 'string',
    default: 'localhost',
    help: 'Host name of the directory.',
  },
  {
    key: 'LDAP_SERVER_PORT',
    name: 'Directory port',
    type: 'integer',
    default: 389,
    minimum: 1,
    maximum: 65_535,
    help: 'Port of the directory.',
  },
  {
    key: 'LDAP_USE_TLS',
    name: 'Encrypt the directory connection',
    searchWords: 'ssl secure',
    type: 'boolean',
    default: true,
    help: 'Connects to the directory over TLS. Off sends passwords unencrypted.',
  },
  {
    key: 'LDAP_TLS_MODE',
    name: 'Directory encryption mode',
    searchWords: 'starttls ssl',
    type: 'string',
    default: 'auto',
    allowed: ['auto', 'starttls', 'direct'],
    help: 'starttls encrypts a connection that begins unencrypted, direct uses TLS from the start, auto uses starttls on port 389 only.',
  },
  {
    key: 'LDAP_VALIDATE_CERT',
    name: 'Verify the directory’s certificate',
    searchWords: 'tls ssl',
    type: 'boolean',
    default: true,
    help: 'Rejects a directory whose certificate is not trusted.',
  },
  {
    key: 'LDAP_CA_CERT_FILE',
    name: 'Certificate authority for the directory',
    searchWords: 'tls ssl',
    type: 'string',
    default: '',
    help: 'A file on the gateway’s machine with the certificates to trust; empty trusts the usual ones.',
  },
  {
    key: 'LDAP_CIPHERS',
    name: 'Ciphers for the directory connection',
    searchWords: 'tls ssl',
    type: 'string',
    default: 'ALL',
    help: 'OpenSSL names of the ciphers to use; ALL uses the usual ones.',
  },
  {
    key: 'LDAP_APP_DN',
    name: 'Account that searches the directory',
    searchWords: 'bind',
    type: 'string',
    default: '',
    help: 'Account used to search the directory; empty searches without signing in.',
  },
  {
    key: 'LDAP_APP_PASSWORD',
    name: 'Password of that account',
    searchWords: 'bind',
    type: 'string',
    default: '',
    secret: true,
    help: 'Password of that account.',
  },
  {
    key: 'LDAP_SEARCH_BASE',
    name: 'Directory search base',
    searchWords: 'base dn',
    type: 'string',
    default: '',
    help: 'Where in the directory to search for people.',
  },
  {
    key: 'LDAP_SEARCH_FILTERS',
    name: 'Directory search filter',
    alias: 'LDAP_SEARCH_FILTER',
    type: 'string',
    default: '',
    help: 'Only entries that match this filter can sign in, such as (memberOf=cn=chat,ou=groups,dc=example,dc=org).',
  },
  {
    key: 'LDAP_ATTRIBUTE_FOR_USERNAME',
    name: 'User name attribute',
    type: 'string',
    default: 'uid',
    pattern: ATTRIBUTE,
    help: 'Attribute with the user name people type; sAMAccountName in Active Directory.',
  },
  {
    key: 'LDAP_ATTRIBUTE_FOR_MAIL',
    name: 'Email attribute',
    type: 'string',
    default: 'mail',
    pattern: ATTRIBUTE,
    help: 'Attribute with the email address.',
  },
] as const satisfies readonly SettingDefinition[]
