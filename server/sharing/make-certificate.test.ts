import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:tls'
import { expect, it, onTestFinished } from 'vitest'
import { makeAuthority, makeServerCertificate, type CertificatePair } from './make-certificate.ts'

const NAMES = ['desk.local', 'desk']

/** Returns the verdict of a strict client on a listener with this certificate. */
async function trust(server: CertificatePair, authority: CertificatePair, servername?: string) {
  const listener = createServer({ cert: server.certificate, key: server.key }, (socket) =>
    socket.end(),
  )
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  onTestFinished(() => void listener.close())
  const { port } = listener.address() as AddressInfo
  const socket = connect({
    port,
    host: '127.0.0.1',
    ca: authority.certificate,
    ...(servername && { servername }),
  })
  const ended = Promise.withResolvers<string>()
  socket.once('secureConnect', () => ended.resolve('trusted'))
  socket.once('error', (error) => ended.resolve(error.message))
  const result = await ended.promise
  socket.destroy()
  return result
}

it('makes a certificate that strict clients accept by name and by address', async () => {
  const authority = makeAuthority(NAMES)
  const server = makeServerCertificate(authority, [
    ...NAMES,
    '127.0.0.1',
    '192.168.1.20',
    'fd00::2',
  ])
  expect(await trust(server, authority)).toBe('trusted')
  expect(await trust(server, authority, 'desk.local')).toBe('trusted')
  expect(await trust(server, authority, 'other.local')).toMatch(/does not match certificate/)
  expect(await trust(server, makeAuthority(NAMES))).not.toBe('trusted')
  const read = new X509Certificate(server.certificate)
  expect(read.subjectAltName).toBe(
    'DNS:desk.local, DNS:desk, IP Address:127.0.0.1, IP Address:192.168.1.20, IP Address:FD00:0:0:0:0:0:0:2',
  )
  expect(read.publicKey.asymmetricKeyType).toBe('ec')
})

it('keeps the names of certificates within 64 characters, whatever the computer is called', async () => {
  const commonNameOf = ({ certificate }: CertificatePair) =>
    new X509Certificate(certificate).subject.replace(/^CN=/, '')
  const long = 'a-computer-in-the-laboratory-on-the-third-floor-of-the-new-house'
  const authority = makeAuthority([`${long}.local`, long])
  const server = makeServerCertificate(authority, [`${long}.local`, long])
  expect(commonNameOf(authority)).toMatch(/^Chat Gateway on a-computer-.{37}$/)
  expect(commonNameOf(server)).toHaveLength(64)
  expect(commonNameOf(makeAuthority([`${long}2.local`]))).not.toBe(commonNameOf(authority))
  expect(new X509Certificate(server.certificate).subjectAltName).toContain(`DNS:${long}.local`)
  expect(await trust(server, authority, long)).toBe('trusted')
  expect(commonNameOf(makeAuthority(NAMES))).toBe('Chat Gateway on desk.local')
})

it('keeps the authority from speaking for sites on the internet', async () => {
  const authority = makeAuthority(NAMES)
  const site = makeServerCertificate(authority, ['bank.example.com'])
  expect(await trust(site, authority, 'bank.example.com')).toBe('permitted subtree violation')
  const address = makeServerCertificate(authority, ['desk.local', '8.8.8.8'])
  expect(await trust(address, authority, 'desk.local')).toBe('permitted subtree violation')
})

it('makes certificates of servers that phones accept: valid for less than 398 days', () => {
  const authority = makeAuthority(NAMES)
  const { validFromDate, validToDate } = new X509Certificate(
    makeServerCertificate(authority, NAMES).certificate,
  )
  expect(validToDate.getTime() - validFromDate.getTime()).toBeLessThan(398 * 86_400_000)
})
