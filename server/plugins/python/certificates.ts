import { existsSync } from 'node:fs'
import path from 'node:path'

/**
 * Where systems keep the certificates of the authorities they trust, with those a company has
 * added.
 */
const SYSTEM_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/**
 * Names the system's certificates for the Python of the app, which looks for them only where the
 * system it was built on has them. Nothing where somebody has named some, and on Windows, where
 * Python asks the system itself.
 */
export function nameCertificates(
  variables: Readonly<Record<string, string>>,
  files: readonly string[] = process.platform === 'win32' ? [] : SYSTEM_FILES,
): Readonly<Record<string, string>> {
  if (variables['SSL_CERT_FILE'] || variables['SSL_CERT_DIR']) return {}
  const found = files.find((file) => path.isAbsolute(file) && existsSync(file))
  return found === undefined ? {} : { SSL_CERT_FILE: found }
}
