import { existsSync } from 'node:fs'
import path from 'node:path'

/** Paths of the systems' trusted certificates, including those added by a company. */
const SYSTEM_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/**
 * Sets the system's certificates for the app's Python, which looks for them only at the path of its
 * build system. Does nothing if they are already configured, and on Windows, where Python queries
 * the system itself.
 */
export function nameCertificates(
  variables: Readonly<Record<string, string>>,
  files: readonly string[] = process.platform === 'win32' ? [] : SYSTEM_FILES,
): Readonly<Record<string, string>> {
  if (variables['SSL_CERT_FILE'] || variables['SSL_CERT_DIR']) return {}
  const found = files.find((file) => path.isAbsolute(file) && existsSync(file))
  return found === undefined ? {} : { SSL_CERT_FILE: found }
}
