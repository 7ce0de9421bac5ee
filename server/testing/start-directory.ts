import {
  createServer as createPlainServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import ldap from 'ldapjs'

export const SEARCHER = Object.freeze({
  dn: 'cn=searcher,dc=example,dc=org',
  password: 'looks people up',
})
export const BASE = 'ou=people,dc=example,dc=org'

export interface TestPerson {
  readonly uid: string
  readonly password: string
  readonly attributes?: Readonly<Record<string, string | string[]>>
}

export interface TestDirectoryOptions {
  readonly people: readonly TestPerson[]
  /** Uses TLS from the first byte. */
  readonly certificate?: { readonly key: string; readonly cert: string }
  /** Never responds to a bind. */
  readonly isSilent?: boolean
}

/** The used part of a request in the library's handlers, which it types as any. */
interface Ask {
  readonly dn: { toString(): string }
  readonly credentials: string
  readonly filter: { matches(attributes: object): boolean; toString(): string }
  readonly connection: { readonly ldap: { readonly bindDN: { toString(): string } } }
}
interface Reply {
  attributes: string[]
  send(entry: object): void
  end(): void
}
type Next = (error?: object) => unknown

const plainDn = (text: string): string => (ldap.parseDN(text) as { toString(): string }).toString()

const dnOf = ({ uid }: TestPerson): string => `uid=${uid},${BASE}`

function toEntry(person: TestPerson) {
  const attributes = {
    objectclass: ['person'],
    uid: [person.uid],
    cn: [person.uid],
    ...person.attributes,
  }
  return { dn: dnOf(person), attributes }
}

/**
 * Starts a directory on loopback that records its requests. Like real ones, it treats a name with
 * an empty password as anonymous.
 */
export async function startDirectory({
  people,
  certificate,
  isSilent = false,
}: TestDirectoryOptions) {
  const server = ldap.createServer(
    certificate ? { certificate: certificate.cert, key: certificate.key } : {},
  )
  const binds: { dn: string; password: string }[] = []
  const filters: string[] = []
  // All binds are decided here, whatever name is used.
  server.bind('', (request: Ask, response: Reply, next: Next) => {
    const dn = request.dn.toString()
    const password = String(request.credentials)
    binds.push({ dn, password })
    if (isSilent) return
    const known = [
      { dn: SEARCHER.dn, password: SEARCHER.password },
      ...people.map((person) => ({ dn: dnOf(person), password: person.password })),
    ]
    const isRight =
      password === '' || known.some((one) => plainDn(one.dn) === dn && one.password === password)
    if (!isRight) return next(new ldap.InvalidCredentialsError())
    response.end()
    return next()
  })
  server.search('dc=example,dc=org', (request: Ask, response: Reply, next: Next) => {
    filters.push(request.filter.toString())
    if (request.connection.ldap.bindDN.toString() !== plainDn(SEARCHER.dn))
      return next(new ldap.InsufficientAccessRightsError())
    // The library compares names case-sensitively, unlike real directories.
    response.attributes = response.attributes.map((name) => name.toLowerCase())
    for (const person of people) {
      const entry = toEntry(person)
      if (request.filter.matches(entry.attributes)) response.send(entry)
    }
    response.end()
    return next()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server as unknown as { port: number }
  return {
    port,
    binds,
    filters,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** The response to a StartTLS request: success, sent as the last unencrypted message. */
const raised = (messageId: number): Buffer =>
  Buffer.from([
    0x30,
    0x0c,
    0x02,
    0x01,
    messageId,
    0x78,
    0x07,
    0x0a,
    0x01,
    0x00,
    0x04,
    0x00,
    0x04,
    0x00,
  ])

/**
 * Starts a proxy before an unencrypted directory that upgrades connections to TLS on request
 * (StartTLS).
 */
export async function startRaising(port: number, certificate: { key: string; cert: string }) {
  const { connect } = await import('node:net')
  const seen: string[] = []
  const sockets = new Set<Socket>()
  const front: Server = createPlainServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', (request: Buffer) => {
      seen.push(request.toString('latin1'))
      socket.write(raised(request[4]!))
      const secure = new TLSSocket(socket, {
        isServer: true,
        secureContext: createSecureContext(certificate),
      })
      const behind = connect({ port, host: '127.0.0.1' })
      sockets.add(behind)
      secure.on('error', () => behind.destroy())
      behind.on('error', () => secure.destroy())
      secure.pipe(behind).pipe(secure)
    })
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => front.close(resolve))
  }
  return { port: (front.address() as AddressInfo).port, seen, close }
}
