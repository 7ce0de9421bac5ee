import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:tls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestCertificate } from '../testing/create-test-certificate.ts'
import { openShared, type OpenShared } from '../testing/open-shared.ts'
import { startTestServer, type TestServer } from '../testing/start-server.ts'
import { makeAuthority, makeServerCertificate } from './make-certificate.ts'
import { ShareStore } from './store.ts'

const DAY = 86_400_000

let server: TestServer
let admin: string
let store: ShareStore
beforeAll(async () => {
  server = await startTestServer({ environment: { SHARING_PORT: '18943' } })
  admin = await server.signUp('Ada')
  store = new ShareStore(server.context.storage, server.context.secrets)
})
afterAll(() => server.close())

const subjects = (): string[] => [...server.context.sharing.certificates.names(), '127.0.0.1']

const daysLeft = (end: number): number => Math.round((end * 1000 - Date.now()) / DAY)

/** Returns the fingerprint that a new connection sees, whether or not it trusts the certificate. */
async function seen({ status }: OpenShared): Promise<string> {
  const socket = connect({ port: status.port!, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { fingerprint256 } = socket.getPeerX509Certificate()!
  socket.destroy()
  return fingerprint256
}

/** Makes the gateway serve a certificate that it created so many days ago. */
async function serveOneOf(daysAgo: number): Promise<string> {
  const authority = (await store.certificate('authority'))!
  const old = makeServerCertificate(authority, subjects(), Date.now() - daysAgo * DAY)
  await store.putCertificate('server', old)
  return new X509Certificate(old.certificate).fingerprint256
}

it('keeps a certificate that is valid for more than a month', async () => {
  const shared = await openShared(server, admin)
  const made = await serveOneOf(350)
  await server.context.sharing.settle()
  expect(await seen(shared)).toBe(made)
})

for (const [name, daysAgo] of [
  ['before it ends', 365],
  ['also where the gateway was off when it ended', 400],
] as const)
  it(`renews a certificate of its own ${name}; devices trust it and connections last`, async () => {
    const shared = await openShared(server, admin)
    const socket = shared.socket(admin)
    await once(socket, 'message')
    const old = await serveOneOf(daysAgo)
    await server.context.sharing.settle()
    const { certificate, fault } = await server.context.sharing.status()
    expect(fault).toBe(null)
    expect(certificate!.fingerprint).not.toBe(old)
    expect(daysLeft(certificate!.ends_at)).toBe(390)
    expect(await seen(shared)).toBe(certificate!.fingerprint)
    expect((await shared.call('/health')).body).toEqual({ status: true })
    expect(socket.readyState).toBe(socket.OPEN)
    socket.close()
  })

it('makes a new authority before one ends that certificates of servers would outlive', async () => {
  const shared = await openShared(server, admin)
  const names = server.context.sharing.certificates.names()
  const old = makeAuthority(names, Date.now() - 3300 * DAY)
  await store.putCertificate('authority', old)
  await store.putCertificate('server', makeServerCertificate(old, subjects()))
  await server.context.sharing.settle()
  const { certificate } = await server.context.sharing.status()
  const again = await openShared(server, admin)
  expect(certificate!.authority_fingerprint).not.toBe(
    new X509Certificate(old.certificate).fingerprint256,
  )
  expect(again.status.certificate).toEqual(certificate)
  expect(again.url).toBe(shared.url)
  expect((await again.call('/health')).body).toEqual({ status: true })
  await expect(shared.call('/health')).rejects.toThrow(/certificate/)
})

it('says in a sentence that a certificate that was brought has ended, until another is there', async () => {
  const shared = await openShared(server, admin)
  const ended = createTestCertificate({ name: 'gateway.example', days: -1 })
  await store.putCertificate('own', { certificate: ended.cert, key: ended.key })
  await server.context.sharing.settle()
  const day = new X509Certificate(ended.cert).validToDate.toISOString().slice(0, 10)
  const sentence = `Your certificate ended on ${day}. Bring a new one, or go back to the one the gateway makes.`
  const status = await server.call('GET', '/api/v1/sharing', { token: admin })
  expect(await status.json()).toMatchObject({
    on: true,
    fault: sentence,
    certificate: { own: true, fingerprint: await seen(shared) },
  })
  const refused = await server.call('POST', '/api/v1/sharing/on', { token: admin, body: {} })
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({ detail: sentence })
  const fresh = createTestCertificate({ name: 'gateway.example', days: 90 })
  const brought = await server.call('POST', '/api/v1/sharing/certificate', {
    token: admin,
    body: { certificate: fresh.cert, key: fresh.key },
  })
  expect(await brought.json()).toMatchObject({ fault: null, certificate: { own: true } })
  expect(await seen(shared)).toBe(new X509Certificate(fresh.cert).fingerprint256)
  await store.putCertificate('own', { certificate: ended.cert, key: ended.key })
  const dropped = await server.call('DELETE', '/api/v1/sharing/certificate', { token: admin })
  expect(await dropped.json()).toMatchObject({ fault: null, certificate: { own: false } })
  expect((await (await openShared(server, admin)).call('/health')).status).toBe(200)
})
