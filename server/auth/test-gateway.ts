import { createServer, request as sendRequest, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { Session } from '#contract/auths.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import type { SettingValue } from '#contract/settings.ts'
import type { Config } from '../config/config.ts'
import { mount, sendError, tagResponse, type Route } from '../lib/http.ts'
import { newId } from '../lib/ids.ts'
import { createLogger } from '../lib/logger.ts'
import { createSettings } from '../settings/index.ts'
import { openStorage } from '../storage/index.ts'
import { createSecrets } from '../storage/secrets.ts'
import { createUsers } from '../users/index.ts'
import { createAuth, createGuard, listeningAddresses } from './index.ts'

export interface TestReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into replies of any shape
  readonly body: any
}

export interface TestRequest {
  readonly method?: string
  readonly headers?: Record<string, string | string[]>
  readonly body?: unknown
}

export const ADMIN = Object.freeze({ name: 'Ada', email: 'ada@example.org', password: 'correct horse battery' })

export interface TestGatewayOptions {
  readonly mode?: Config['mode']
  readonly path?: string
  readonly settings?: Record<string, SettingValue>
}

function parseReply(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Every endpoint of other domains answers who called, so that sign-in can be tested without them. */
function toEchoRoutes(real: readonly Route[]): Route[] {
  const known = new Set(real.map(({ endpoint }) => endpoint.id))
  return allEndpoints
    .filter(({ id }) => !known.has(id))
    .map((endpoint) => ({ endpoint: { ...endpoint, body: undefined, query: undefined }, handler: ({ caller }) => ({ caller }) }))
}

/** Users and auth behind the guard over real HTTP, on a database in memory unless a path is given. */
export async function startTestGateway({ mode = 'server', path = ':memory:', settings: values = {} }: TestGatewayOptions = {}) {
  const log = createLogger('silent')
  const config: Config = {
    mode,
    environment: {},
    isDevelopment: false,
    host: '127.0.0.1',
    port: 0,
    dataDir: '',
    uiDir: null,
    logLevel: 'silent',
    secretKey: null,
    databaseRecovery: null,
    productVersion: '0.0.0',
    apiVersion: '0.9.6',
  }
  const storage = openStorage({ path })
  const secrets = createSecrets('a root secret that only tests use, 32+ bytes')
  const settings = createSettings({ storage, secrets, config })
  settings.update(values)
  const users = createUsers({ storage, log })
  const auth = createAuth({ storage, settings, secrets, users, config, log })
  let port = 0
  const guard = createGuard({ settings, addresses: () => listeningAddresses(config.host, port) })

  const app = express()
  const real = [...auth.routes, ...users.routes]
  app.enable('case sensitive routing')
  mount(app, [...real, ...toEchoRoutes(real)], { authenticate: (request, endpoint) => auth.authenticate(request, endpoint), log })
  const server = createServer((request, response) => {
    tagResponse(response, newId())
    try {
      guard.check(request)
      if (guard.answerCors(request, response)) return
    } catch (error) {
      sendError(response, error, { log })
      return
    }
    app(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port

  const call = (target: string, { method, headers = {}, body }: TestRequest = {}): Promise<TestReply> =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body)
      const outgoing = sendRequest(
        {
          port,
          host: '127.0.0.1',
          path: target,
          method: method ?? (text === undefined ? 'GET' : 'POST'),
          headers: { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
          agent: false,
        },
        (response) => {
          const parts: Buffer[] = []
          response.on('data', (part: Buffer) => parts.push(part))
          response.on('end', () => {
            const text = Buffer.concat(parts).toString('utf8')
            resolve({ status: response.statusCode!, headers: response.headers, body: parseReply(text) })
          })
        },
      )
      outgoing.on('error', reject)
      outgoing.end(text)
    })

  const signUp = async (person: { name: string; email: string; password: string } = ADMIN): Promise<Session> =>
    (await call('/api/v1/auths/signup', { body: person })).body as Session
  /** An account made by the administrator, signed in. */
  const addUser = async (admin: Session, name: string, role: 'admin' | 'user' | 'pending' = 'user'): Promise<Session> => {
    const body = { name, email: `${name}@example.org`, password: `password of ${name}`, role }
    return (await call('/api/v1/auths/add', { body, headers: bearer(admin) })).body as Session
  }
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(() => {
        storage.close()
        resolve()
      })
    })
  return { port, url: `http://127.0.0.1:${port}`, storage, settings, secrets, users, auth, call, signUp, addUser, close }
}

export type TestGateway = Awaited<ReturnType<typeof startTestGateway>>

export const bearer = (session: { token: string } | string): Record<string, string> => ({
  authorization: `Bearer ${typeof session === 'string' ? session : session.token}`,
})
