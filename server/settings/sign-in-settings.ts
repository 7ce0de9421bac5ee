import type { SettingDefinition } from './setting-definition.ts'

const ATTRIBUTE = { expression: /^[A-Za-z][\w;.-]{0,99}$/, words: 'the name of an attribute' }

/**
 * Whether anybody has to sign in at all; decided where the gateway is started, as it gives
 * everything away.
 */
export const openDoor = [
  {
    key: 'WEBUI_AUTH',
    type: 'boolean',
    default: true,
    environmentOnly: true,
    help: 'When false, whoever opens the gateway on its own machine is its administrator, without a password. The app ignores it.',
  },
  {
    key: 'WEBUI_AUTH_OPEN_TO_NETWORK',
    type: 'boolean',
    default: false,
    environmentOnly: true,
    help: 'Lets WEBUI_AUTH=false hold for other machines too: whoever reaches the gateway is its administrator.',
  },
] as const satisfies readonly SettingDefinition[]

/** Headers that would break a request, or say something else of it, are none for a person. */
const IDENTITY_HEADER = {
  expression:
    /^(?!(?:authorization|connection|content-.*|cookie|expect|forwarded|host|origin|sec-.*|te|trailer|transfer-encoding|upgrade|x-api-key|x-forwarded-(?:for|host|port|proto|server)|x-session-key)$)[!#$%&'*+.^_`|~\w-]{0,100}$/i,
  words: 'the name of a header that says nothing else of a request',
}

/**
 * Headers by which a proxy in front signs people in; whoever sets them hands the proxy every
 * account.
 */
export const trustedHeaders = [
  {
    key: 'WEBUI_AUTH_TRUSTED_EMAIL_HEADER',
    type: 'string',
    default: '',
    environmentOnly: true,
    pattern: IDENTITY_HEADER,
    help: 'Header in which a proxy of TRUSTED_PROXIES says the e-mail address of who is signed in. Empty signs nobody in by a proxy.',
  },
  {
    key: 'WEBUI_AUTH_TRUSTED_NAME_HEADER',
    type: 'string',
    default: '',
    environmentOnly: true,
    pattern: IDENTITY_HEADER,
    help: 'Header with the name of new accounts; without it they are called as their address.',
  },
  {
    key: 'WEBUI_AUTH_TRUSTED_GROUPS_HEADER',
    type: 'string',
    default: '',
    environmentOnly: true,
    pattern: IDENTITY_HEADER,
    help: 'Header with names of groups, commas between them: at each sign-in people are in exactly those of them that exist.',
  },
  {
    key: 'WEBUI_AUTH_TRUSTED_ROLE_HEADER',
    type: 'string',
    default: '',
    environmentOnly: true,
    pattern: IDENTITY_HEADER,
    help: 'Header with the role people have from their sign-in on: admin, user or pending.',
  },
] as const satisfies readonly SettingDefinition[]

/** Accounts and groups that the directory of an organisation makes. */
export const provisioning = [
  {
    key: 'ENABLE_SCIM',
    type: 'boolean',
    default: false,
    help: 'The directory of an organisation may make, change and delete accounts and groups (SCIM 2.0, /api/v1/scim/v2).',
  },
  {
    key: 'SCIM_TOKEN',
    type: 'string',
    default: '',
    secret: true,
    pattern: {
      expression: /^[\w.~+/=-]{0,8192}$/,
      words: 'letters, digits and the signs . _ ~ + / = -',
    },
    help: 'What it proves itself with, as a Bearer token. Whoever has it rules every account; empty lets nobody in.',
  },
] as const satisfies readonly SettingDefinition[]

/** What new passwords have to be like. */
export const passwordRules = [
  {
    key: 'ENABLE_PASSWORD_VALIDATION',
    type: 'boolean',
    default: false,
    help: 'New passwords must fit a rule.',
  },
  {
    key: 'PASSWORD_VALIDATION_REGEX_PATTERN',
    type: 'string',
    default: '',
    help: 'The rule as a regular expression; empty wants eight characters with a lower and an upper case letter, a digit and a sign.',
  },
  {
    key: 'PASSWORD_VALIDATION_HINT',
    type: 'string',
    default: '',
    help: 'What people read when a password does not fit the rule.',
  },
] as const satisfies readonly SettingDefinition[]

/** The directory people sign in with. */
export const ldapSettings = [
  {
    key: 'ENABLE_LDAP',
    type: 'boolean',
    default: false,
    help: 'People may sign in with the account of a directory (LDAP).',
  },
  {
    key: 'LDAP_SERVER_LABEL',
    type: 'string',
    default: 'LDAP',
    help: 'What the sign-in page calls the directory.',
  },
  {
    key: 'LDAP_SERVER_HOST',
    type: 'string',
    default: 'localhost',
    help: 'The machine of the directory.',
  },
  {
    key: 'LDAP_SERVER_PORT',
    type: 'integer',
    default: 389,
    minimum: 1,
    maximum: 65_535,
    help: 'Its port.',
  },
  {
    key: 'LDAP_USE_TLS',
    type: 'boolean',
    default: true,
    help: 'Speaks to the directory through TLS. Off sends passwords in the clear.',
  },
  {
    key: 'LDAP_TLS_MODE',
    type: 'string',
    default: 'auto',
    allowed: ['auto', 'starttls', 'direct'],
    help: 'starttls raises a connection that begins in the clear, direct is TLS from the start, auto raises on port 389 alone.',
  },
  {
    key: 'LDAP_VALIDATE_CERT',
    type: 'boolean',
    default: true,
    help: 'Refuses a directory whose certificate is not trusted.',
  },
  {
    key: 'LDAP_CA_CERT_FILE',
    type: 'string',
    default: '',
    help: 'A file on the machine of the gateway with the certificates to trust; empty trusts the usual ones.',
  },
  {
    key: 'LDAP_CIPHERS',
    type: 'string',
    default: 'ALL',
    help: 'OpenSSL names of the ciphers to use; ALL takes the usual ones.',
  },
  {
    key: 'LDAP_APP_DN',
    type: 'string',
    default: '',
    help: 'The account that looks people up; empty asks without signing in.',
  },
  { key: 'LDAP_APP_PASSWORD', type: 'string', default: '', secret: true, help: 'Its password.' },
  {
    key: 'LDAP_SEARCH_BASE',
    type: 'string',
    default: '',
    help: 'Where in the directory people are looked for.',
  },
  {
    key: 'LDAP_SEARCH_FILTERS',
    alias: 'LDAP_SEARCH_FILTER',
    type: 'string',
    default: '',
    help: 'Only entries that fit this filter may sign in, such as (memberOf=cn=chat,ou=groups,dc=example,dc=org).',
  },
  {
    key: 'LDAP_ATTRIBUTE_FOR_USERNAME',
    type: 'string',
    default: 'uid',
    pattern: ATTRIBUTE,
    help: 'The attribute that holds what people type; sAMAccountName in Active Directory.',
  },
  {
    key: 'LDAP_ATTRIBUTE_FOR_MAIL',
    type: 'string',
    default: 'mail',
    pattern: ATTRIBUTE,
    help: 'The attribute with the e-mail address.',
  },
] as const satisfies readonly SettingDefinition[]
