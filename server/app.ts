import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Express } from 'express'
import { endpoints } from '#contract/endpoints.ts'
import { SOCKET_IO_PATH, SOCKET_PATH } from '#contract/events.ts'
import { Guard } from './auth/index.ts'
import { createBackupRoutes } from './system/backup-routes.ts'
import { cutOffRevoked } from './http/cut-off-revoked.ts'
import { ConnectionTurns, MOST_WAITING } from './http/connection-turns.ts'
import type { Context } from './context.ts'
import type { CallWatcher } from './lib/serving/call-watcher.ts'
import { createDeletionRoutes } from './system/deletion-routes.ts'
import type { ExpressParts } from './http/express-app.ts'
import { BodyIntake, type IntakeLimits } from './lib/serving/body-allowance.ts'
import { boundInnerJson } from './lib/json/inner-json.ts'
import { notFound, tooManyRequests, unavailable, type ServiceError } from './lib/errors.ts'
import { GatewayResponse } from './lib/serving/gateway-response.ts'
import { redactText, type Logger } from './lib/logger.ts'
import {
  requestIdOf,
  sendError,
  serveRoute,
  tagResponse,
  type Caller,
  type Route,
  type ServeOptions,
} from './lib/http.ts'
import { dialectOf, toServiceError } from './lib/serving/to-error.ts'
import { newId } from './lib/ids.ts'
import { whenReady } from './lib/timing/when-ready.ts'
import { OpenReplies } from './http/open-replies.ts'
import type { GatewaySettings } from './settings/index.ts'
import { createSystemRoutes } from './system/system-routes.ts'
import {
  createSnapshotRoutes,
  snapshotIsReadOnly,
  takeViewedSnapshot,
} from './time-machine/index.ts'
import { createUiFiles } from './http/ui-files.ts'

/** Endpoints served before express, because API users would notice the added latency. */
const HOT_ENDPOINTS = new Set<string>([
  endpoints.completions.chatCompletions.id,
  endpoints.messages.create.id,
  endpoints.responses.create.id,
  endpoints.runtimeProxy.generate.id,
  endpoints.runtimeProxy.chat.id,
  endpoints.runtimeProxy.embed.id,
  endpoints.compatibleProxy.chatCompletions.id,
  endpoints.embeddings.create.id,
  endpoints.system.health.id,
])
const SHUTDOWN_RETRY_SECONDS = '5'

const PAUSED_RETRY_SECONDS = '60'

const asleep = (): ServiceError =>
  unavailable(
    'The gateway is paused. The person at its computer can let it go on in the tray or the settings of the desktop app.',
    { code: 'paused', headers: { 'Retry-After': PAUSED_RETRY_SECONDS } },
  )

const crowdedConnection = (): ServiceError =>
  tooManyRequests(
    `More than ${MOST_WAITING} requests of this connection wait for their answers, which is a fixed limit. ` +
      'Read answers before sending further requests, or open more connections.',
    1,
  )

function pathOf(request: IncomingMessage): string {
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  return mark === -1 ? url : url.slice(0, mark)
}

/**
 * Request side of the gateway, everything between the listening socket and the domains: hot routes,
 * all other routes, and the files of the UI behind the Host and Origin guard.
 */
export class App {
  readonly #context: Context
  readonly #guard: Guard
  readonly #turns = new ConnectionTurns()
  readonly #watcher: CallWatcher | null
  readonly #serveOptions: ServeOptions
  readonly #hotRoutes: Map<string, Route>
  readonly #serveRest: ReturnType<typeof createRest>
  readonly #serveSnapshot: ReturnType<typeof createRest>
  #isPaused = false
  #isStopping = false
  /** Replies in progress. */
  readonly replies = new OpenReplies()

  constructor(
    context: Context,
    addresses: (request: IncomingMessage) => ReadonlySet<string>,
    watcher: CallWatcher | null = null,
  ) {
    const { auth, config, settings, storage } = context
    this.#context = context
    this.#watcher = watcher
    this.#guard = new Guard(settings, addresses)
    this.#serveOptions = {
      record: watcher ? withNames(context.requests.record, watcher) : context.requests.record,
      authenticate: (request, endpoint) =>
        whenReady(auth.authenticator.authenticate(request, endpoint), (caller) =>
          this.#admit(request, caller),
        ),
      requirePermitted: context.requirePermitted,
      noteCaller: (response, caller, endpoint) => {
        if (response instanceof GatewayResponse) response.served = { caller, endpoint }
      },
      intake: new BodyIntake(readIntakeLimits(settings), (request) =>
        auth.peers.limitSubject(request),
      ),
      hasAccount: async (userId) => (await context.users.get(userId)) !== null,
      log: context.log,
    }
    auth.onRevoked((userId) => this.#cutOffRevoked(userId))
    auth.onAnyRevoked(() => this.#cutOffRevoked(null))
    const routes = [
      ...context.routes,
      ...createBackupRoutes(storage, settings),
      ...createDeletionRoutes(storage),
      ...createSystemRoutes(context, { isReady: () => !this.#isStopping }),
    ]
    this.#hotRoutes = indexHotRoutes(routes)
    const ui =
      config.uiDir === null
        ? null
        : createUiFiles(config.uiDir, {
            networkOf: (ticket) => context.artifacts.originsOf(ticket),
            signInOf: (request) => auth.singleSignOn.automaticSignIn(request),
          })
    const serveOptions = this.#serveOptions
    const hasDocs = config.isDevelopment
    this.#serveRest = createRest(() => routes, { serveOptions, ui, hasDocs })
    this.#serveSnapshot = createRest(() => createSnapshotRoutes(routes, context.timeMachine), {
      serveOptions,
      ui,
      hasDocs: false,
    })
  }

  handleRequest(request: IncomingMessage, response: ServerResponse): void {
    const { auth, log } = this.#context
    tagResponse(response, newId())
    this.replies.add(response)
    this.#watcher?.begin(request, response)
    auth.trustedHeaders.take(request)
    const refuse = (): void => {
      response.shouldKeepAlive = false
      sendError(response, crowdedConnection(), { log })
    }
    const answer = (): void => this.#answer(request, response)
    const watcher = this.#watcher
    this.#turns.run(request, watcher ? () => watcher.within(response, answer) : answer, refuse)
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { auth, events, socketIo } = this.#context
    auth.trustedHeaders.take(request)
    try {
      this.#requireRunning()
      if (pathOf(request) !== SOCKET_PATH && !isSocketIo(request))
        throw notFound('There is no socket at this path.')
      if (isSocketIo(request)) socketIo.requireTransport(request)
      this.#guard.checkCall(request)
    } catch (error) {
      refuseUpgrade(socket, toServiceError(error))
      return
    }
    const open = () =>
      isSocketIo(request)
        ? void socketIo.handleUpgrade(request, socket, head).catch(() => socket.destroy())
        : events.handleUpgrade(request, socket, head)
    if (!this.#guard.needsProof(request)) return open()
    const abandon = () => socket.destroy()
    socket.once('error', abandon)
    this.#prove(request).then(
      () => {
        socket.off('error', abandon)
        open()
      },
      (error: unknown) => refuseUpgrade(socket, toServiceError(error)),
    )
  }

  /** Answers new requests with 503 from now on; running ones continue. */
  beginShutdown(): void {
    this.#isStopping = true
  }

  /**
   * While paused, calls of API clients get 503 with an error message; windows, and calls on their
   * behalf, continue. Used by the desktop app.
   */
  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused
  }

  /** Returns how many of the replies come from a model. */
  countModelReplies(): number {
    return this.replies.count(
      (each) => each.method === 'POST' && this.#hotRoutes.has(routeOf(each)),
    )
  }

  #cutOffRevoked(userId: string | null): Promise<void> {
    const { auth } = this.#context
    return cutOffRevoked(this.replies, userId, ({ caller, endpoint }, request) =>
      auth.authenticator.isCurrent(caller, { request, endpoint }),
    )
  }

  #requireRunning(): void {
    if (this.#isStopping) throw shuttingDown()
  }

  /**
   * Checks the credential before a socket opens: under a host name that is not the gateway's, its
   * first frame could come from a web page.
   */
  async #prove(request: IncomingMessage): Promise<void> {
    const live = await this.#context.auth.liveCallers.byHeaders(request, { allowCookie: false })
    this.#guard.requireProof(request, live && live.caller)
  }

  #admit(request: IncomingMessage, caller: Caller | null): Caller | null {
    if (caller) this.#context.sharing.passes.connections.note(caller.userId, request.socket)
    if (this.#isPaused && (caller?.credential === 'key' || caller?.credential === 'bearer'))
      throw asleep()
    return this.#guard.requireProof(request, caller)
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { log, socketIo } = this.#context
    try {
      this.#requireRunning()
      this.#guard.checkCall(request)
      if (this.#guard.answerCors(request, response)) return
    } catch (error) {
      sendError(response, error, { log, dialect: dialectOf(pathOf(request)) })
      return
    }
    const snapshot = takeViewedSnapshot(request)
    if (snapshot !== null) return this.#answerFromSnapshot(snapshot, request, response)
    if (isSocketIo(request))
      return void socketIo
        .handleRequest(request, response)
        .catch((error: unknown) => sendError(response, error, { log }))
    const hot = this.#hotRoutes.get(routeOf(request))
    if (hot) void serveRoute(hot, { request, response, params: {} }, this.#serveOptions)
    else this.#serveRest(request, response)
    if (log.isLevelEnabled('debug')) logWhenDone(log, request, response)
  }

  /** Answers a request for a snapshot; writes are rejected, whatever is requested. */
  #answerFromSnapshot(id: string, request: IncomingMessage, response: ServerResponse): void {
    const { log } = this.#context
    if (!isReading(request)) sendError(response, snapshotIsReadOnly(), { log })
    else if (id === '') endWithSlash(response, pathOf(request))
    else this.#serveSnapshot(request, response)
  }
}

const isReading = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD'

/**
 * Redirects the URL of a snapshot to its form with a trailing slash, which the page needs to find
 * its files.
 */
function endWithSlash(response: ServerResponse, path: string): void {
  const name = path.slice(path.lastIndexOf('/') + 1)
  response.writeHead(307, { Location: `./${name}/` }).end()
}

/** Also reports the endpoint of each call to the call watcher. */
function withNames(
  record: NonNullable<ServeOptions['record']>,
  watcher: CallWatcher,
): NonNullable<ServeOptions['record']> {
  return (endpoint, exchange) => {
    watcher.name(exchange.response, endpoint)
    return record(endpoint, exchange)
  }
}

function logWhenDone(log: Logger, request: IncomingMessage, response: ServerResponse): void {
  const started = performance.now()
  const requestId = requestIdOf(response)
  response.once('close', () => {
    const milliseconds = Math.round(performance.now() - started)
    log.debug(
      {
        request_id: requestId,
        method: request.method,
        path: redactText(pathOf(request)),
        status: response.statusCode,
        milliseconds,
      },
      'request',
    )
  })
}

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE

/** Limits are read again when they change, not for every call. */
function readIntakeLimits(settings: Pick<GatewaySettings, 'get' | 'onChange'>): () => IntakeLimits {
  const boundTexts = (): void =>
    boundInnerJson({
      values: settings.get('JSON_TEXT_MAX_VALUES'),
      levels: settings.get('JSON_TEXT_MAX_DEPTH'),
    })
  const read = (): IntakeLimits => ({
    values: settings.get('JSON_BODY_MAX_VALUES'),
    recordValues: settings.get('JSON_RECORD_MAX_VALUES'),
    importValues: settings.get('JSON_IMPORT_MAX_VALUES'),
    depth: settings.get('JSON_BODY_MAX_DEPTH'),
    unknownBytes: settings.get('JSON_BODY_MAX_SIZE_ANONYMOUS') * KIBIBYTE,
    accountBytes: settings.get('REQUEST_MEMORY_PER_ACCOUNT') * MEBIBYTE,
    anonymousBytes: settings.get('REQUEST_MEMORY_ANONYMOUS') * MEBIBYTE,
  })
  let limits = read()
  boundTexts()
  settings.onChange(async () => {
    limits = read()
    boundTexts()
  })
  return () => limits
}

function indexHotRoutes(routes: readonly Route[]): Map<string, Route> {
  const hot = routes.filter(({ endpoint }) => HOT_ENDPOINTS.has(endpoint.id))
  return new Map(
    hot.flatMap((route) =>
      [route.endpoint.path, ...(route.endpoint.aliases ?? [])]
        .filter((path) => !path.includes(':'))
        .map((path) => [`${route.endpoint.method} ${path}`, route] as const),
    ),
  )
}

const shuttingDown = (): ServiceError =>
  unavailable('The gateway is stopping. Try again in a moment.', {
    code: 'shutdown',
    headers: { 'Retry-After': SHUTDOWN_RETRY_SECONDS, Connection: 'close' },
  })

const isSocketIo = (request: IncomingMessage): boolean => {
  const path = pathOf(request)
  return path === SOCKET_IO_PATH || path === `${SOCKET_IO_PATH}/`
}

const routeOf = (request: IncomingMessage): string => `${request.method} ${pathOf(request)}`

/**
 * Express is loaded by the first request that needs it, because loading it takes a good part of the
 * startup time; its routes are made then too.
 */
function createRest(
  toRoutes: () => readonly Route[],
  parts: Omit<ExpressParts, 'routes'>,
): (request: IncomingMessage, response: ServerResponse) => void {
  let app: Express | undefined
  let loading: Promise<Express> | undefined
  const load = async (): Promise<Express> => {
    const { createExpress } = await import('./http/express-app.ts')
    return (app = createExpress({ ...parts, routes: toRoutes() }))
  }
  return (request, response) => {
    if (app) return void app(request, response)
    loading ??= load()
    loading.then(
      (loaded) => void loaded(request, response),
      (error: unknown) => sendError(response, error, { log: parts.serveOptions.log }),
    )
  }
}

function refuseUpgrade(socket: Duplex, error: ServiceError): void {
  const body = JSON.stringify({ detail: error.message })
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...error.headers,
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.once('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${error.status} Refused\r\n${lines.join('')}\r\n${body}`)
}
