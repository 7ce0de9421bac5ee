import type { LdapServer } from '#contract/ldap.ts'
import { ownValue } from '../../lib/json/own-value.ts'

const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection. Check the port.',
  ENOTFOUND: 'is not known under this name. Check the host.',
  EAI_AGAIN: 'is not known under this name. Check the host.',
  EHOSTUNREACH: 'cannot be reached from here.',
  ENETUNREACH: 'cannot be reached from here.',
  ECONNRESET: 'closed the connection. Check whether it speaks TLS on this port.',
  EPROTO: 'does not speak TLS on this port.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another machine.',
  CERT_HAS_EXPIRED: 'has a certificate that has ended.',
}
const BY_NAME: Readonly<Record<string, string>> = {
  InvalidCredentialsError:
    'did not take the name or the password of the account that looks people up.',
  InvalidDNSyntaxError:
    'cannot read the name of the account that looks people up, or where to search.',
  NoSuchObjectError: 'has nothing where people are to be searched.',
  InsufficientAccessRightsError: 'does not let this account look people up.',
}
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY)/
const WRONG_TLS = /^ERR_SSL_/

/** Explains to an administrator what failed and what to check. */
export function explainFailure(
  cause: unknown,
  { host, port, certificate_path: file }: LdapServer,
): string {
  const {
    code = '',
    name = '',
    path,
  } = cause as { code?: string | number; name?: string; path?: string }
  const word = String(code)
  if (file !== '' && (path === file || String(cause).includes(file)))
    return 'The file of certificates to trust cannot be read by the gateway.'
  const known = ownValue(BY_CODE, word) ?? ownValue(BY_NAME, name)
  const reason =
    known ??
    (UNTRUSTED.test(word)
      ? 'has a certificate that is not trusted. Name a file with the certificates to trust.'
      : WRONG_TLS.test(word)
        ? 'does not speak TLS on this port, or not with these ciphers.'
        : `failed: ${cause instanceof Error ? cause.message.slice(0, 300) : word}`)
  return `The directory at ${host}:${port} ${reason}`
}
