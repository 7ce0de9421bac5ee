import { readFile, stat } from 'node:fs/promises'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectSecure, type ConnectionOptions } from 'node:tls'
import type { Client } from 'ldapts'
import type { LdapServer } from '#contract/ldap.ts'
import { because } from '../../lib/outgoing/purpose.ts'

/** Port of directories that start unencrypted. */
const PLAIN_PORT = 389
const CONNECT_MILLISECONDS = 5000
/** A hundred entries with six attributes take less than a tenth of it. */
const MOST_RECEIVED_BYTES = 8 * 1024 * 1024
const LARGEST_CERTIFICATES_BYTES = 1024 * 1024
/**
 * Value of the setting for Node's default ciphers, which are fewer and stronger than all of
 * OpenSSL's.
 */
const USUAL_CIPHERS = 'ALL'

/** A connection to the directory for one sign-in. */
export interface Line {
  readonly client: Client
  /** Closes the connection immediately; pending operations fail. */
  close(): void
}

async function readCertificates(path: string): Promise<string> {
  const found = await stat(path)
  if (!found.isFile() || found.size > LARGEST_CERTIFICATES_BYTES)
    throw new Error(`${path} is no file of certificates.`)
  return readFile(path, 'utf8')
}

async function toTlsOptions(server: LdapServer): Promise<ConnectionOptions> {
  const { host, certificate_path, validate_cert, ciphers } = server
  return {
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(certificate_path !== '' && { ca: await readCertificates(certificate_path) }),
    ...(ciphers !== '' && ciphers !== USUAL_CIPHERS && { ciphers }),
    rejectUnauthorized: validate_cert,
    minVersion: 'TLSv1.2',
  }
}

/** Closes a connection that receives more than any answer has, which the library would all keep. */
function limitReceived(socket: Socket): void {
  socket.on('data', () => {
    if (socket.bytesRead > MOST_RECEIVED_BYTES)
      socket.destroy(new Error('It sent more than a directory answers.'))
  })
}

/** Connects to the directory, through TLS if the settings require it. */
export async function openLine(server: LdapServer, signal: AbortSignal): Promise<Line> {
  const { Client: DirectoryClient } = await import('ldapts')
  const { host, port, use_tls, tls_mode } = server
  const options = use_tls ? await toTlsOptions(server) : null
  const isRaised =
    use_tls && (tls_mode === 'starttls' || (tls_mode === 'auto' && port === PLAIN_PORT))
  let socket: Socket | null = null
  const close = (): void => void socket?.destroy()
  signal.addEventListener('abort', close, { once: true })

  // @NOTE The library reconnects on its own when a connection is lost, unencrypted and without
  //   StartTLS, and would send the password over it. So only one connection is allowed, and a
  //   second one is refused.
  const once = <Kind extends Socket>(connect: () => Kind) => {
    return (): Kind => {
      if (socket || signal.aborted) throw new Error('The connection to the directory was lost.')
      const made = because({ kind: 'directory' }, connect)
      socket = made.on('error', () => undefined)
      limitReceived(made)
      return made
    }
  }
  const client = new DirectoryClient({
    url: use_tls && !isRaised ? 'ldaps://directory' : 'ldap://directory',
    connectTimeout: CONNECT_MILLISECONDS,
    createConnection: once(() => connectPlain({ host, port })),
    ...(!isRaised && { createSecureConnection: once(() => connectSecure({ ...options, port })) }),
  })
  try {
    if (isRaised) await client.startTLS({ ...options })
    return { client, close }
  } catch (error) {
    close()
    throw error
  }
}
