import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Router } from 'express'
import type { ZodError, ZodType, z } from 'zod'
import type { Role } from '#contract/common.ts'
import type { AnyEndpoint, EndpointOutput } from '#contract/endpoint.ts'
import { toSchema } from '#contract/lazy-zod.ts'
import { badRequest, invalidInput, tooLarge, type ServiceError, unauthorized, unsupportedType } from './errors.ts'
import { explainDepth } from './explain-depth.ts'
import type { Logger } from './logger.ts'
import { sendPieces } from './send-pieces.ts'
import { toErrorBody, toServiceError } from './to-error.ts'
import { nextTurn } from './turns.ts'

/** Who makes a call. `credential` says what proved it; `keyId` is set for API keys. */
export interface Caller {
  readonly userId: string
  readonly role: Role
  readonly name: string
  readonly email: string
  readonly credential: 'bearer' | 'cookie' | 'key' | 'trusted-header'
  readonly keyId: string | null
}

/** One call of an endpoint with its parsed input. `signal` aborts when the client goes away before the reply ended. */
export interface Call<E extends AnyEndpoint = AnyEndpoint> {
  readonly params: E['params'] extends ZodType ? z.output<E['params']> : undefined
  readonly query: E['query'] extends ZodType ? z.output<E['query']> : undefined
  readonly body: E['body'] extends ZodType ? z.output<E['body']> : undefined
  /** The body as it came, for handlers that forward it; empty when the endpoint takes none. */
  readonly rawBody: Buffer
  /** Present unless the endpoint's `auth` is `none`. */
  readonly caller: E['auth'] extends 'none' ? Caller | null : Caller
  readonly requestId: string
  readonly signal: AbortSignal
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** An endpoint with its handler. A `json` handler returns the body; a `stream` handler may instead end the response itself. */
export interface Route {
  readonly endpoint: AnyEndpoint
  readonly handler: (call: Call) => unknown
}

/** Joins an endpoint of the table with its handler. */
export function route<E extends AnyEndpoint>(
  endpoint: E,
  handler: (call: Call<E>) => E['reply'] extends 'stream' ? unknown : EndpointOutput<E> | Promise<EndpointOutput<E>>,
): Route {
  return { endpoint, handler: handler as (call: Call) => unknown }
}

/** Takes notes of one call under way. Both methods are on the path of every call and only keep what they are given. */
export interface CallRecording {
  noteInput(caller: Caller | null, input: { body: unknown; rawBody: Buffer }): void
  noteFailure(caller: Caller | null, error: unknown): void
}

export interface ServeOptions {
  /** Begins the notes on a call; null when it is not recorded. */
  readonly record?: (endpoint: AnyEndpoint, exchange: Exchange) => CallRecording | null
  /** Finds out who calls; null means no credential was sent. Throws 401/403 for bad or disallowed ones. */
  readonly authenticate: (request: IncomingMessage, endpoint: AnyEndpoint) => Caller | null | Promise<Caller | null>
  /** Throws 403 when the endpoint's `feature` is off or its `permission` is missing. */
  readonly requirePermitted: (caller: Caller | null, endpoint: AnyEndpoint) => void
  readonly log: Logger
}

const DEFAULT_BODY_LIMIT = 1024 * 1024
const LARGE_BODY = 512 * 1024
const PIECES_IN_A_TURN = 8
const EMPTY = Buffer.alloc(0)
const EMPTY_OBJECT = Buffer.from('{}')

/** Gives a response its request id with the `X-Request-Id` header, and its beginning. Called once, in front of everything. */
export function tagResponse(response: ServerResponse & { requestId?: string; startedAt?: number }, requestId: string): void {
  response.startedAt = performance.now()
  response.requestId = requestId
  response.setHeader('X-Request-Id', requestId)
}

/** The methods express gives a response stand between it and its class, so this asks for the field alone. */
const requestIdOf = (response: ServerResponse): string => ('requestId' in response ? String(response.requestId) : '')

/** Reads a whole body as bytes; 413 beyond `limit`. The connection is kept only when the body was read to its end. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLong = () => tooLarge(`The request body is larger than ${limit} bytes.`)
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLong())
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    // Plain listeners: every call with a body comes through here, and an async iterator costs several times as much.
    const onData = (part: Buffer) => {
      size += part.length
      if (size <= limit) return void parts.push(part)
      request.off('data', onData).pause()
      reject(tooLong())
    }
    request.on('data', onData)
    request.once('end', () => resolve(parts.length === 1 ? parts[0]! : Buffer.concat(parts, size)))
    request.once('error', (cause) => reject(badRequest('The connection ended before the whole body had come.', { code: 'cut_off', cause })))
  })
}

/** Parses JSON bytes; 400 with a sentence when they are none. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw badRequest('The request body is not valid JSON.', { code: 'invalid_json', cause })
  }
}

function toIssues(error: ZodError, place: string): ServiceError {
  return invalidInput(
    error.issues.map((issue) => ({
      loc: [place, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))],
      msg: issue.message,
      type: issue.code,
    })),
  )
}

/** Checks a value against its schema; 422 with the place of each fault. */
export function parseInput(schema: ZodType, value: unknown, place: 'path' | 'query' | 'body'): unknown {
  const result = toSchema(schema).safeParse(value)
  if (!result.success) throw toIssues(result.error, place)
  return result.data
}

function parseQuery(request: IncomingMessage): Record<string, string> {
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  return mark === -1 ? {} : Object.fromEntries(new URLSearchParams(url.slice(mark + 1)))
}

/** Scripts leave the body out where they have nothing to say, which then means an empty object. */
const hasNoBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-type'] === undefined && headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0

async function readJsonBody(request: IncomingMessage, endpoint: AnyEndpoint): Promise<Buffer> {
  if (hasNoBody(request)) return EMPTY_OBJECT
  const type = request.headers['content-type'] ?? ''
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type)) {
    throw unsupportedType('Send the body as JSON with the header "Content-Type: application/json".')
  }
  return readBody(request, endpoint.bodyLimit ?? DEFAULT_BODY_LIMIT)
}

const parseBody = ({ body }: AnyEndpoint, rawBody: Buffer): unknown =>
  body ? parseInput(body as ZodType, parseJson(rawBody), 'body') : undefined

/** Reading, checking and using a large body take long enough each for others to be served in between. */
async function parseLargeBody({ body }: AnyEndpoint, rawBody: Buffer): Promise<unknown> {
  const value = parseJson(rawBody)
  await nextTurn()
  const input = parseInput(body as ZodType, value, 'body')
  await nextTurn()
  return input
}

const RANK: Record<Role, number> = { pending: 0, user: 1, admin: 2 }
const NEEDED = { none: -1, session: 0, user: 1, admin: 2 } as const

/** The one authorisation choke point: enforces the endpoint's `auth` (decisions §2: 401 for missing, pending or wrong role). */
export function requireCaller(caller: Caller | null, endpoint: AnyEndpoint): void {
  if (endpoint.auth === 'none') return
  if (!caller) throw unauthorized('Not authenticated')
  if (RANK[caller.role] < NEEDED[endpoint.auth]) {
    throw unauthorized(
      caller.role === 'pending'
        ? 'Your account is waiting for approval. Ask an administrator to activate it.'
        : 'You do not have permission for this. Ask an administrator.',
    )
  }
}

class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A reply that is JSON text already; typed as the value it stands for. */
export const asJson = <Body>(text: string): Body => new JsonText(text) as Body

class JsonPieces {
  readonly pieces: Iterable<string>

  constructor(pieces: Iterable<string>) {
    this.pieces = pieces
  }
}

/** A reply that is made piece by piece while it is sent, such as a long chat; each piece should take well below a millisecond. */
export const asJsonPieces = <Body>(pieces: Iterable<string>): Body => new JsonPieces(pieces) as Body

const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }

function sendText(response: ServerResponse, status: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8')
  response.writeHead(status, { ...JSON_HEADERS, 'Content-Length': bytes.length })
  response.end(bytes)
}

/** Writes a JSON reply. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  sendText(response, status, body instanceof JsonText ? body.text : JSON.stringify(body))
}

function sendResult(response: ServerResponse, result: unknown): Promise<void> | void {
  if (!(result instanceof JsonPieces)) return sendJson(response, 200, result)
  return sendPieces(response, result.pieces, {
    send: (text) => sendText(response, 200, text),
    begin: () => response.writeHead(200, JSON_HEADERS),
  })
}

/** The JSON text of a reply that is text already or comes in pieces; null for a plain value. */
export async function toReplyText(result: unknown): Promise<string | null> {
  if (result instanceof JsonText) return result.text
  if (!(result instanceof JsonPieces)) return null
  const pieces: string[] = []
  for (const piece of result.pieces) {
    pieces.push(piece)
    if (pieces.length % PIECES_IN_A_TURN === 0) await nextTurn()
  }
  return pieces.join('')
}

/** Answers a call with an error; after the first byte it can only cut the connection. */
export function sendError(
  response: ServerResponse,
  thrown: unknown,
  options: { log: Logger; dialect?: AnyEndpoint['errorDialect'] },
): void {
  const error = toServiceError(thrown)
  if (error.status === 500) options.log.error({ error: error.cause ?? error, request_id: requestIdOf(response) }, 'unexpected error')
  if (response.destroyed || response.writableEnded) return
  if (response.headersSent) {
    response.destroy()
    return
  }
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value)
  if (!response.req.complete) response.setHeader('Connection', 'close')
  sendJson(response, error.status, toErrorBody(error, options.dialect))
}

function createSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}

/** One HTTP exchange with the path parameters the router found. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly params: Record<string, unknown>
}

/** What a call brought, after its checks. */
interface CheckedInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly rawBody: Buffer
}

/**
 * The call a handler gets. A class, because a getter on an object of its own gives that object a hidden class of its own,
 * which keeps the whole call in memory until the next full collection.
 */
class ServedCall {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly rawBody: Buffer
  readonly caller: Caller | null
  readonly requestId: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  #signal: AbortSignal | null = null

  constructor({ request, response }: Exchange, caller: Caller | null, { params, query, body, rawBody }: CheckedInput) {
    this.params = params
    this.query = query
    this.body = body
    this.rawBody = rawBody
    this.caller = caller
    this.requestId = requestIdOf(response)
    this.request = request
    this.response = response
  }

  get signal(): AbortSignal {
    return (this.#signal ??= createSignal(this.response))
  }
}

/** Runs one call: authenticate, authorise, parse, handle, reply. Never throws. */
export async function serveRoute(served: Route, exchange: Exchange, options: ServeOptions): Promise<void> {
  const { endpoint, handler } = served
  const { request, response, params } = exchange
  const recording = options.record?.(endpoint, exchange)
  let caller: Caller | null = null
  try {
    const found = options.authenticate(request, endpoint)
    caller = found instanceof Promise ? await found : found
    requireCaller(caller, endpoint)
    if (endpoint.permission !== undefined || endpoint.feature !== undefined) options.requirePermitted(caller, endpoint)
    const rawBody = endpoint.body ? await readJsonBody(request, endpoint) : EMPTY
    const call = new ServedCall(exchange, caller, {
      params: endpoint.params ? parseInput(endpoint.params, params, 'path') : undefined,
      query: endpoint.query ? parseInput(endpoint.query, parseQuery(request), 'query') : undefined,
      body: rawBody.length > LARGE_BODY ? await parseLargeBody(endpoint, rawBody) : parseBody(endpoint, rawBody),
      rawBody,
    })
    recording?.noteInput(caller, call)
    const result = await handler(call as unknown as Call)
    if (!response.headersSent && !response.writableEnded && !(endpoint.reply === 'stream' && result === undefined))
      await sendResult(response, result)
  } catch (thrown) {
    const error = endpoint.body ? explainDepth(thrown) : thrown
    recording?.noteFailure(caller, error)
    sendError(response, error, { log: options.log, dialect: endpoint.errorDialect })
  }
}

/** Puts routes into an express router, under every alias of their endpoints. */
export function mount(router: Router, routes: readonly Route[], options: ServeOptions): void {
  for (const served of routes) {
    const { endpoint } = served
    const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'delete'
    router[method]([endpoint.path, ...(endpoint.aliases ?? [])], (request, response) =>
      serveRoute(served, { request, response, params: request.params }, options),
    )
  }
}
