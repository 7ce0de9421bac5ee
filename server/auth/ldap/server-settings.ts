import { PASSWORD_MASK, type LdapServer, type LdapServerInput } from '#contract/ldap.ts'
import type { SettingValue } from '#contract/settings.ts'
import { badRequest } from '../../lib/errors.ts'
import type { SettingName } from '../../settings/index.ts'
import type { AuthSettings } from '../auth-settings.ts'

/** Setting of each field of the directory. */
const KEYS = {
  label: 'LDAP_SERVER_LABEL',
  host: 'LDAP_SERVER_HOST',
  port: 'LDAP_SERVER_PORT',
  attribute_for_mail: 'LDAP_ATTRIBUTE_FOR_MAIL',
  attribute_for_username: 'LDAP_ATTRIBUTE_FOR_USERNAME',
  app_dn: 'LDAP_APP_DN',
  app_dn_password: 'LDAP_APP_PASSWORD',
  search_base: 'LDAP_SEARCH_BASE',
  search_filters: 'LDAP_SEARCH_FILTERS',
  use_tls: 'LDAP_USE_TLS',
  tls_mode: 'LDAP_TLS_MODE',
  certificate_path: 'LDAP_CA_CERT_FILE',
  validate_cert: 'LDAP_VALIDATE_CERT',
  ciphers: 'LDAP_CIPHERS',
} as const satisfies Record<keyof LdapServer, SettingName>

/** Fields required by the search. */
const NEEDED = ['label', 'host', 'search_base'] as const

/** Returns the directory settings, including the password. */
export function readServer(settings: AuthSettings): LdapServer {
  const text = (field: Exclude<keyof LdapServer, 'port' | 'use_tls' | 'validate_cert'>): string =>
    settings.get(KEYS[field])
  return {
    label: text('label'),
    host: text('host'),
    port: settings.get(KEYS.port),
    attribute_for_mail: text('attribute_for_mail'),
    attribute_for_username: text('attribute_for_username'),
    app_dn: text('app_dn'),
    app_dn_password: text('app_dn_password'),
    search_base: text('search_base'),
    search_filters: text('search_filters'),
    use_tls: settings.get(KEYS.use_tls),
    tls_mode: text('tls_mode') as LdapServer['tls_mode'],
    certificate_path: text('certificate_path'),
    validate_cert: settings.get(KEYS.validate_cert),
    ciphers: text('ciphers'),
  }
}

/**
 * Merges the sent values into the stored ones; throws 400 if one that the search needs is missing.
 */
export function withInput(server: LdapServer, input: LdapServerInput): LdapServer {
  const given = Object.entries(input).filter(([, value]) => value !== undefined && value !== null)
  const wanted: LdapServer = { ...server, ...(Object.fromEntries(given) as Partial<LdapServer>) }
  const missing = NEEDED.filter((field) => wanted[field] === '')
  if (missing.length > 0)
    throw badRequest(`The directory needs ${missing.join(' and ')}.`, { code: 'ldap_incomplete' })
  return wanted.app_dn_password === PASSWORD_MASK
    ? { ...wanted, app_dn_password: server.app_dn_password }
    : wanted
}

export const withMask = (server: LdapServer): LdapServer => ({
  ...server,
  app_dn_password: server.app_dn_password === '' ? '' : PASSWORD_MASK,
})

/** Stores only the differences, so that values from the environment stay in effect. */
export async function writeServer(
  settings: AuthSettings,
  before: LdapServer,
  wanted: LdapServer,
): Promise<void> {
  const changed = (Object.keys(KEYS) as (keyof LdapServer)[]).filter(
    (field) => wanted[field] !== before[field],
  )
  await settings.update(
    Object.fromEntries(
      changed.map((field): [string, SettingValue] => [KEYS[field], wanted[field]]),
    ),
  )
}
