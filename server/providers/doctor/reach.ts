import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import * as tls from 'node:tls'
import type { DetailedPeerCertificate } from 'node:tls'
import type { Proxy } from '../../lib/outgoing/proxy-route.ts'
import { ProxyError } from '../../lib/outgoing/proxy-error.ts'
import { trustOptions } from '../../lib/outgoing/trust.ts'
import { openTunnel } from '../../lib/outgoing/tunnel.ts'

/** Host and port of a URL, in the form sockets expect. */
export interface Place {
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
}

export function toPlace(address: string): Place {
  const url = new URL(address)
  const isSecure = url.protocol === 'https:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (isSecure ? 443 : 80),
    isSecure,
  }
}

const codeOf = (error: Error & { code?: string; errors?: readonly Error[] }): string =>
  error.code ?? (error.errors?.[0] as { code?: string } | undefined)?.code ?? 'FAILED'

/** Resolves with null if the host name is known, otherwise with the error code. */
export async function findHost({ host }: Place): Promise<string | null> {
  if (isIP(host) !== 0) return null
  try {
    await lookup(host)
    return null
  } catch (error) {
    return codeOf(error as Error)
  }
}

function settle(socket: Socket, ready: string, milliseconds: number): Promise<string | null> {
  return new Promise((resolve) => {
    const end = (code: string | null): void => {
      clearTimeout(timer)
      resolve(code)
    }
    const timer = setTimeout(() => end('ETIMEDOUT'), milliseconds)
    socket.once(ready, () => end(null))
    socket.on('error', (error) => end(codeOf(error)))
    socket.once('close', () => end('ECONNRESET'))
  })
}

/** Resolves with null if a server listens there, otherwise with the error code. */
export async function reachPort(
  { host, port }: Place,
  milliseconds: number,
): Promise<string | null> {
  const socket = connect({ host, port })
  const code = await settle(socket, 'connect', milliseconds)
  socket.destroy()
  return code
}

export interface CertificateView {
  /** Code of the error that prevented a secure connection. */
  readonly fault: string | null
  /** OpenSSL code for the reason why the certificate is not trusted; null if it is. */
  readonly distrust: string | null
  readonly belongsToHost: boolean
  /** Names and IP addresses for which the certificate is valid. */
  readonly names: readonly string[]
  readonly validFrom: Date
  readonly validTo: Date
  readonly issuer: string
  readonly subject: string
  /** SHA-256 fingerprint. */
  readonly fingerprint: string
}

const NOTHING = new Date(0)

const readNames = ({ subjectaltname }: DetailedPeerCertificate): string[] =>
  (subjectaltname ?? '')
    .split(', ')
    .map((name) => /^(?:DNS|IP Address):(.+)$/.exec(name)?.[1])
    .filter((name) => name !== undefined)

/**
 * Connects through the proxy and sends nothing; resolves with the proxy's error, or with the
 * established connection.
 */
export async function reachThrough(
  proxy: Proxy,
  { host, port }: Place,
  milliseconds: number,
): Promise<Socket | ProxyError> {
  try {
    return await openTunnel(proxy, { host, port, told: host }, AbortSignal.timeout(milliseconds))
  } catch (error) {
    if (error instanceof ProxyError) return error
    throw error
  }
}

const nameIn = (names: DetailedPeerCertificate['issuer'] | undefined): string =>
  String(names?.CN ?? names?.O ?? '')

/**
 * Completes a TLS handshake with any certificate, and sends nothing; over an established
 * connection, or directly.
 */
export async function viewCertificate(
  { host, port }: Place,
  milliseconds: number,
  way: Socket | null = null,
): Promise<CertificateView> {
  const socket = tls.connect({
    ...(way ? { socket: way } : { port }),
    host,
    rejectUnauthorized: false,
    ...(isIP(host) === 0 && { servername: host }),
    ...trustOptions(tls),
  })
  const fault = await settle(socket, 'secureConnect', milliseconds)
  const certificate = fault === null ? socket.getPeerCertificate(true) : null
  const distrust = socket.authorizationError as unknown as Error | string | null | undefined
  socket.destroy()
  if (certificate === null || certificate.valid_to === undefined)
    return {
      fault: fault ?? 'EPROTO',
      distrust: null,
      belongsToHost: false,
      names: [],
      validFrom: NOTHING,
      validTo: NOTHING,
      issuer: '',
      subject: '',
      fingerprint: '',
    }
  return {
    fault: null,
    distrust: distrust ? String((distrust as { code?: string }).code ?? distrust) : null,
    belongsToHost: tls.checkServerIdentity(host, certificate) === undefined,
    names: readNames(certificate),
    validFrom: new Date(certificate.valid_from),
    validTo: new Date(certificate.valid_to),
    issuer: nameIn(certificate.issuer),
    subject: nameIn(certificate.subject),
    fingerprint: certificate.fingerprint256,
  }
}
