import { once } from 'node:events'
import {
  createServer,
  request as sendRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import express from 'express'
import type { Session } from '#contract/auths.ts'
import type { Role } from '#contract/common.ts'
import { allEndpoints } from '#contract/endpoints.ts'
import type { SettingValue } from '#contract/settings.ts'
import type { Config } from '../config/config.ts'
import { createGroupRoutes, Groups } from '../groups/index.ts'
import { GatewayResponse } from '../lib/serving/gateway-response.ts'
import { mount, sendError, tagResponse, type Route } from '../lib/http.ts'
import { newId } from '../lib/ids.ts'
import { createLogger } from '../lib/logger.ts'
import { GatewaySettings } from '../settings/index.ts'
import { createSecrets } from '../storage/secrets/secrets.ts'
import { createPasswordRule, createUserRoutes, Users } from '../users/index.ts'
import { Auth, Guard, listeningAddresses } from '../auth/index.ts'
import { createTestStorage } from './create-test-storage.ts'

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

export const ADMIN = Object.freeze({
  name: 'Ada',
  email: 'ada@example.org',
  password: 'correct horse battery',
})

export interface TestGatewayOptions {
  readonly mode?: Config['mode']
  readonly path?: string
  readonly settings?: Record<string, SettingValue>
  readonly config?: Partial<Config>
}

function parseReply(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Upgrade request of a socket, for tests that do not depend on it. */
export const SOME_REQUEST = {
  headers: {},
  rawHeaders: [],
  socket: {},
} as unknown as IncomingMessage

/**
 * Makes every endpoint of other domains respond with the caller, so that sign-in can be tested
 * without them.
 */
function toEchoRoutes(real: readonly Route[]): Route[] {
  const known = new Set(real.map(({ endpoint }) => endpoint.id))
  return allEndpoints
    .filter(({ id }) => !known.has(id))
    .map((endpoint) => ({
      endpoint: { ...endpoint, body: undefined, query: undefined },
      handler: ({ caller }) => ({ caller }),
    }))
}

async function buildDomains({
  mode = 'server',
  path,
  settings: values = {},
  config: overrides = {},
}: TestGatewayOptions) {
  const config: Config = {
    mode,
    environment: {},
    isDevelopment: false,
    hasSocketIoWebsockets: true,
    host: '127.0.0.1',
    port: 0,
    dataDir: '',
    closedFolders: [],
    uiDir: null,
    logLevel: 'silent',
    secretKey: null,
    redisUrl: null,
    databaseRecovery: null,
    databaseServer: null,
    metricsAddress: null,
    traceReceiver: null,
    objectStore: null,
    productVersion: '0.0.0',
    apiVersion: '0.9.6',
    ...overrides,
  }
  const log = createLogger('silent')
  const storage = createTestStorage(path)
  const secrets = createSecrets('a root secret that only tests use, 32+ bytes')
  const settings = await GatewaySettings.open({ storage, secrets, config })
  await settings.update(values)
  const users = new Users({ storage, log, checkPassword: createPasswordRule(settings) })
  await users.load()
  const groups = new Groups({ storage, settings, users, config })
  const auth = new Auth({ storage, settings, secrets, users, groups, config, log })
  await auth.open()
  return { log, storage, secrets, settings, users, groups, auth }
}

async function serveDomains({
  settings,
  users,
  groups,
  auth,
  log,
}: Awaited<ReturnType<typeof buildDomains>>): Promise<{ server: Server; port: number }> {
  let port = 0
  const guard = new Guard(settings, () => listeningAddresses('127.0.0.1', port))
  const real = [
    ...auth.routes,
    ...createGroupRoutes(groups, users),
    ...createUserRoutes({ users, groups, settings }),
  ]
  const app = express()
  app.enable('case sensitive routing')
  mount(app, [...real, ...toEchoRoutes(real)], {
    authenticate: (request, endpoint) => auth.authenticator.authenticate(request, endpoint),
    requirePermitted: () => undefined,
    log,
  })
  const server = createServer(
    { ServerResponse: GatewayResponse as typeof ServerResponse },
    (request, response) => {
      tagResponse(response, newId())
      try {
        guard.check(request)
        if (!guard.answerCors(request, response)) app(request, response)
      } catch (error) {
        sendError(response, error, { log })
      }
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  return { server, port }
}

export async function send(
  port: number,
  target: string,
  { method, headers = {}, body }: TestRequest,
): Promise<TestReply> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const outgoing = sendRequest({
    port,
    host: '127.0.0.1',
    path: target,
    method: method ?? (text === undefined ? 'GET' : 'POST'),
    headers: {
      // Node does not set the length of a DELETE's body itself.
      ...(text === undefined
        ? {}
        : {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(text)),
          }),
      ...headers,
    },
    agent: false,
  })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  outgoing.end(text)
  const [response] = await answered
  return {
    status: response.statusCode!,
    headers: response.headers,
    body: parseReply(await readText(response)),
  }
}

/**
 * Starts users and auth behind the guard over real HTTP, on an in-memory database unless a path is
 * given.
 */
export async function startTestGateway(options: TestGatewayOptions = {}) {
  const domains = await buildDomains(options)
  const { server, port } = await serveDomains(domains)
  const call = (target: string, request: TestRequest = {}): Promise<TestReply> =>
    send(port, target, request)
  return {
    ...domains,
    port,
    call,
    signUp: async (
      person: { name: string; email: string; password: string } = ADMIN,
    ): Promise<Session> => (await call('/api/v1/auths/signup', { body: person })).body as Session,
    /** Creates an account as the administrator and signs it in. */
    addUser: async (admin: Session, name: string, role: Role = 'user'): Promise<Session> => {
      const body = { name, email: `${name}@example.org`, password: `password of ${name}`, role }
      return (await call('/api/v1/auths/add', { body, headers: bearer(admin) })).body as Session
    },
    close: async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      domains.storage.close()
    },
  }
}

export type TestGateway = Awaited<ReturnType<typeof startTestGateway>>

export const bearer = (session: { token: string } | string): Record<string, string> => ({
  authorization: `Bearer ${typeof session === 'string' ? session : session.token}`,
})
