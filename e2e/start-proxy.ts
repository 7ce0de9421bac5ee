import { spawn, type ChildProcess } from 'node:child_process'
import { createServer, type IncomingMessage } from 'node:http'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer as createNetServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect as connectSecurely } from 'node:tls'
import { createTestCertificate } from '../server/testing/create-test-certificate.ts'

const DOCUMENT = path.join(import.meta.dirname, '../docs/reverse-proxy.md')

/** Returns the n-th example of a language in the documentation, unchanged. */
export function readExample(language: 'nginx' | 'caddyfile', place: number): string {
  const blocks = [...readFileSync(DOCUMENT, 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
  const found = blocks.filter(([, name]) => name === language)[place]?.[2]
  if (found === undefined) throw new Error(`There is no ${language} example ${place}.`)
  return found
}

/** Replaces the addresses in an example with those of a test; throws if one is missing. */
export function withAddresses(
  example: string,
  addresses: Readonly<Record<string, string>>,
): string {
  let text = example
  for (const [from, to] of Object.entries(addresses)) {
    if (!text.includes(from)) throw new Error(`The example does not name ${from}.`)
    text = text.replaceAll(from, to)
  }
  return text
}

/** A proxy in front of a gateway. */
export interface RunningProxy {
  stop(): Promise<void>
}

/** Returns a port that is free at this moment. */
export async function findPort(): Promise<number> {
  const server = createNetServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

interface Place {
  readonly folder: string
  readonly port: number
  /** True to wait for a TLS handshake: a proxy may listen before it has created its certificate. */
  readonly isSecure?: boolean
}

async function waitForPort(
  { port, isSecure }: Place,
  child: ChildProcess,
  log: () => string,
): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The proxy ended:\n${log()}`)
    const isOpen = await new Promise<boolean>((resolve) => {
      const connected = (): void => {
        socket.destroy()
        resolve(true)
      }
      const place = { host: '127.0.0.1', port }
      const socket = isSecure
        ? connectSecurely({ ...place, rejectUnauthorized: false }, connected)
        : connect(place, connected)
      socket.once('error', () => resolve(false))
    })
    if (isOpen) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function startProcess(command: string, args: string[], place: Place): Promise<RunningProxy> {
  const { folder } = place
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env })
  let output = ''
  child.stderr.on('data', (part: Buffer) => (output += part.toString()))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.once('error', (error) => (output += error.message))
  await waitForPort(place, child, () => output)
  return {
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Starts nginx with these servers, which listen on `port`. Certificate files are located next to
 * its configuration.
 */
export function startNginx(servers: string, port: number): Promise<RunningProxy> {
  const folder = mkdtempSync(path.join(tmpdir(), 'chat-gateway-nginx-'))
  const { key, cert } = createTestCertificate({ name: '127.0.0.1', days: 2 })
  writeFileSync(path.join(folder, 'tls.key'), key)
  writeFileSync(path.join(folder, 'tls.pem'), cert)
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'])
    mkdirSync(path.join(folder, name))
  const file = path.join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name.replace('client_', '')};`)
    .join(' ')
  writeFileSync(
    file,
    `daemon off; pid ${folder}/pid; error_log stderr warn; ${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http { access_log off; ${temporary}
${servers.replaceAll('/etc/ssl/chat.example.org.', `${folder}/tls.`)}
}`,
  )
  return startProcess('nginx', ['-p', folder, '-c', file], { folder, port })
}

/** Starts Caddy with these sites, which listen on `port`, and a separate certificate authority. */
export function startCaddy(sites: string, port: number): Promise<RunningProxy> {
  const folder = mkdtempSync(path.join(tmpdir(), 'chat-gateway-caddy-'))
  const file = path.join(folder, 'Caddyfile')
  writeFileSync(
    file,
    `{\n  admin off\n  local_certs\n  skip_install_trust\n  auto_https disable_redirects\n}\n${sites}`,
  )
  const isSecure = !/^http:\/\//m.test(sites)
  return startProcess('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    folder,
    port,
    isSecure,
  })
}

/** Users known to a test's identity provider, by the value of their cookie. */
export type Identities = Readonly<Record<string, Readonly<Record<string, string>>>>

const whoIs = ({ headers }: IncomingMessage): string =>
  /(?:^|;\s*)who=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? ''

/** Stands for an identity provider: tells proxies who the user is, and serves its own pages. */
export async function startIdentityProvider(
  people: Identities,
): Promise<{ readonly port: number; stop(): void }> {
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== '/oauth2/auth')
      return response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end('<h1>Sign in at the provider</h1>')
    const person = people[whoIs(request)]
    return person ? response.writeHead(202, person).end() : response.writeHead(401).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
