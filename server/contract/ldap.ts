import { z } from './lazy-zod.ts'
import { sessionSchema } from './auths.ts'
import { defineEndpoints } from './endpoint.ts'

/** Placeholder of a password that is not shown; sent back, it keeps the stored one. */
export const PASSWORD_MASK = '********'

const ATTRIBUTE = /^[A-Za-z][\w;.-]{0,99}$/

/** Directory for user sign-in, in the form configuration scripts know. */
export const ldapServerSchema = z
  .object({
    /** Label on the sign-in page. */
    label: z.string().trim().max(100),
    host: z.string().trim().max(253),
    port: z.int().min(1).max(65_535),
    attribute_for_mail: z.string().trim().regex(ATTRIBUTE, 'is not the name of an attribute'),
    /** Attribute that holds the user name users enter. */
    attribute_for_username: z.string().trim().regex(ATTRIBUTE, 'is not the name of an attribute'),
    /** Account used to look users up; empty to search without signing in. */
    app_dn: z.string().trim().max(1000),
    /** Reads as a mask; a mask sent back keeps the stored one. */
    app_dn_password: z.string().max(1024),
    search_base: z.string().trim().max(1000),
    /** Only entries that match this filter may sign in; empty to allow all found entries. */
    search_filters: z.string().trim().max(4000),
    use_tls: z.boolean(),
    /**
     * `starttls` upgrades a plaintext connection, `direct` uses TLS from the start, `auto` upgrades
     * only on port 389.
     */
    tls_mode: z.enum(['auto', 'starttls', 'direct']),
    /**
     * File with the certificates to trust, on the gateway's computer; empty to trust the default
     * ones.
     */
    certificate_path: z.string().trim().max(4096),
    validate_cert: z.boolean(),
    /** OpenSSL names of the ciphers to use; `ALL` for the default ones. */
    ciphers: z.string().trim().max(1000),
  })
  .meta({ id: 'LdapServer' })
export type LdapServer = z.output<typeof ldapServerSchema>

/** Omitted fields stay unchanged; old scripts send null for some of them. */
const ldapServerInputSchema = ldapServerSchema
  .partial()
  .extend({
    port: ldapServerSchema.shape.port.nullish(),
    search_filters: ldapServerSchema.shape.search_filters.nullish(),
    certificate_path: ldapServerSchema.shape.certificate_path.nullish(),
    ciphers: ldapServerSchema.shape.ciphers.nullish(),
  })
  .meta({
    id: 'LdapServerInput',
    example: {
      label: 'Example University',
      host: 'ldap.example.org',
      port: 636,
      search_base: 'ou=people,dc=example,dc=org',
    },
  })
export type LdapServerInput = z.output<typeof ldapServerInputSchema>

const enabledSchema = z.object({ ENABLE_LDAP: z.boolean() })

export const ldapEndpoints = defineEndpoints(
  { domain: 'ldap', tag: 'Sign-in', root: '/api/v1/auths' },
  {
    signin: {
      method: 'POST',
      path: '/ldap',
      auth: 'none',
      // Parsed loosely: a value that is not a name or password leads to a failed sign-in, 401, and
      // never reaches the directory.
      body: z.object({ user: z.unknown(), password: z.unknown() }).meta({
        id: 'LdapSignIn',
        example: { user: 'ada', password: 'correct horse battery' },
      }),
      response: sessionSchema,
      errors: [400, 401, 403, 429, 502, 504],
      summary:
        'Signs in with an account of the directory; the first sign-in creates the account here.',
    },
    enabled: {
      method: 'GET',
      path: '/admin/config/ldap',
      auth: 'admin',
      response: enabledSchema,
      summary: 'Whether users may sign in with the directory.',
    },
    updateEnabled: {
      method: 'POST',
      path: '/admin/config/ldap',
      auth: 'admin',
      body: z
        .object({ enable_ldap: z.boolean().nullish() })
        .meta({ id: 'LdapSwitch', example: { enable_ldap: true } }),
      response: enabledSchema,
      errors: [400],
      summary: 'Switches signing in with the directory on or off.',
    },
    server: {
      method: 'GET',
      path: '/admin/config/ldap/server',
      auth: 'admin',
      response: ldapServerSchema,
      summary: 'Settings of the directory; its password is masked.',
    },
    updateServer: {
      method: 'POST',
      path: '/admin/config/ldap/server',
      auth: 'admin',
      body: ldapServerInputSchema,
      response: ldapServerSchema,
      errors: [400],
      summary: 'Changes the settings of the directory; absent ones stay unchanged.',
    },
    verify: {
      method: 'POST',
      path: '/admin/config/ldap/verify',
      auth: 'admin',
      body: ldapServerInputSchema,
      response: z.object({ status: z.literal(true), entries: z.int() }),
      errors: [400, 502, 504],
      summary:
        'Tests the directory with the stored and the sent settings, and counts up to a hundred users who could sign in.',
    },
  },
)
