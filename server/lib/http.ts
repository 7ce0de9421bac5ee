import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Router } from 'express'
import type { ZodType, z } from 'zod'
import type { Role } from '#contract/common.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { BodyIntake, type BodyAllowance } from './serving/body-allowance.ts'
import type { CallNotes } from './serving/call-notes.ts'
import { confirming, type Reply } from './serving/confirming.ts'
import { discardBody } from './serving/discard-body.ts'
import { explainDepth } from './json/explain-depth.ts'
import { notFound, unauthorized, unsupportedType } from './errors.ts'
import { isRecord } from './is-record.ts'
import { toJsonArray, toTexts } from './json/json-array.ts'
import type { Logger } from './logger.ts'
import { parseInput, parseInputInSteps } from './serving/parse-input.ts'
import { parseJson, parseJsonInSteps } from './json/parse-json.ts'
import { parseQuery } from './serving/parse-query.ts'
import { readBody, type JsonBytes } from './serving/read-body.ts'
import { sendPieces } from './serving/send-pieces.ts'
import { statusOf, toErrorBody, toServiceError } from './serving/to-error.ts'
import { nextTurn, runInTurns } from './turns.ts'

/**
 * Caller of an endpoint. `credential` is the kind of credential used; `keyId` is set for API keys.
 */
export interface Caller {
  readonly userId: string
  readonly role: Role
  readonly name: string
  readonly email: string
  readonly credential: 'bearer' | 'cookie' | 'key' | 'scim'
  readonly keyId: string | null
  /** Secret of the sign-in with a provider that the caller's browser sent, if it sent one. */
  readonly providerSession?: string | null
}

type CallerOf<Auth> = Auth extends 'none' ? Caller | null : Caller
type Parsed<Schema> = Schema extends ZodType ? z.output<Schema> : undefined

/**
 * Call of an endpoint with its parsed input, over HTTP or from inside the gateway. `signal` aborts
 * when the caller disconnects before the reply ended.
 */
export interface Call<E extends AnyEndpoint = AnyEndpoint> {
  readonly params: Parsed<E['params']>
  readonly query: Parsed<E['query']>
  readonly body: Parsed<E['body']>
  /**
   * Body before validation by its schema, which removes fields named `__proto__`. Available only
   * until the handler first waits.
   */
  readonly json: unknown
  /** Present unless the endpoint's `auth` is `none`. */
  readonly caller: CallerOf<E['auth']>
  /** Records the treatment of the call; null if it is not recorded. */
  readonly notes: CallNotes | null
  readonly signal: AbortSignal
}

/** Call with its HTTP exchange. */
export interface HttpCall<E extends AnyEndpoint = AnyEndpoint> extends Call<E> {
  /** Original body, for handlers that forward it; empty if the endpoint has none. */
  readonly rawBody: Buffer
  /** Memory reservation for a body that the handler reads itself. */
  readonly allowance: BodyAllowance
  readonly requestId: string
  /**
   * Checks the caller again, for handlers that read the body themselves: the caller may have lost
   * the permission while it was sent.
   */
  readonly confirm: () => Promise<void> | void
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/**
 * Endpoint with its handler. A `json` handler returns the body; a `stream` handler may instead end
 * the response itself.
 */
export interface Route {
  readonly endpoint: AnyEndpoint
  /** Handler that needs no HTTP exchange, so that the gateway can call it internally. */
  readonly inner?: (call: Call) => unknown
  readonly handler: (call: HttpCall) => unknown
}

/** Combines an endpoint of the table with its handler. */
export function route<E extends AnyEndpoint>(
  endpoint: E,
  handler: (call: Call<E>) => Reply<E>,
): Route {
  const inner: Required<Route>['inner'] = confirming(endpoint, handler)
  return { endpoint, inner, handler: inner }
}

/** Combines an endpoint with a handler that reads the request or writes the response itself. */
export const httpRoute = <E extends AnyEndpoint>(
  endpoint: E,
  handler: (call: HttpCall<E>) => Reply<E>,
): Route => ({ endpoint, handler: confirming<HttpCall>(endpoint, handler) })

/** Returns the same route with all calls, internal and over HTTP, wrapped by `around`. */
export const aroundCalls = (
  { endpoint, inner, handler }: Route,
  around: (call: Call | HttpCall, next: () => unknown) => unknown,
): Route => ({
  endpoint,
  ...(inner && { inner: (call: Call) => around(call, () => inner(call)) }),
  handler: (call: HttpCall) => around(call, () => handler(call)),
})

/** Records one running call. Its methods run in every call and only store their arguments. */
export interface CallRecording {
  readonly notes: CallNotes
  noteInput(caller: Caller | null, input: { body: unknown; rawBody: Buffer }): void
  noteFailure(caller: Caller | null, error: unknown): void
}

export interface ServeOptions {
  /** Starts the recording of a call; returns null if it is not recorded. */
  readonly record?: (endpoint: AnyEndpoint, exchange: HttpExchange) => CallRecording | null
  /**
   * Identifies the caller; null means that no credential was sent. Throws 401/403 for invalid or
   * disallowed ones.
   */
  readonly authenticate: (
    request: IncomingMessage,
    endpoint: AnyEndpoint,
  ) => Caller | null | Promise<Caller | null>
  /**
   * Throws 403 if the endpoint's `feature` is off, its `permission` is missing, or the caller is a
   * guest to whom it is closed.
   */
  readonly requirePermitted: (caller: Caller | null, endpoint: AnyEndpoint) => Promise<void> | void
  /** Called when a call of an identified caller is permitted. */
  readonly noteCaller?: (response: ServerResponse, caller: Caller, endpoint: AnyEndpoint) => void
  /** Limits the bodies of all callers together; if absent, only those of these routes. */
  readonly intake?: BodyIntake
  /** Resolves with true unless the account was deleted meanwhile; if absent, all accounts exist. */
  readonly hasAccount?: (userId: string) => Promise<boolean>
  readonly log: Logger
}

const DEFAULT_BODY_LIMIT = 1024 * 1024
/** Size from which a body is read in slices between other work. */
const LARGE_BODY = { bytes: 256 * 1024, values: 4000 }
const PIECES_IN_A_TURN = 8
const EMPTY = Buffer.alloc(0)
const EMPTY_OBJECT: JsonBytes = { bytes: Buffer.from('{}'), values: 1 }

/**
 * Sets the request id of a response, which is sent in its head, and its start time. Called once,
 * before everything else.
 */
export function tagResponse(
  response: ServerResponse & { requestId?: string; startedAt?: number },
  requestId: string,
): void {
  response.startedAt = performance.now()
  response.requestId = requestId
}

/**
 * Checks only for the field, because the methods that express adds to a response come between it
 * and its class.
 */
export const requestIdOf = (response: ServerResponse): string =>
  'requestId' in response ? String(response.requestId) : ''

/**
 * Returns true if there is no body. Scripts leave it out if they have nothing to send; it then
 * counts as an empty object.
 */
const hasNoBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-type'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  Number(headers['content-length'] ?? 0) === 0

const JSON_TYPE = /^application\/([\w.+-]+\+)?json\s*(;|$)/i

/**
 * Returns true if the credential of a call was set by an API client, and not automatically by a
 * browser or proxy.
 */
const isProgram = (caller: Caller | null): boolean =>
  caller?.credential === 'bearer' || caller?.credential === 'key'

/** Returns true if the body is JSON whatever media type this path's caller declares. */
function takesAnyType({ request, endpoint: { takesAnyType }, caller }: BodyCall): boolean {
  if (takesAnyType === undefined || !isProgram(caller)) return false
  return takesAnyType === true || takesAnyType.some((start) => request.url!.startsWith(start))
}

/** Reads the body of an endpoint that accepts JSON; throws 415 for anything else. */
function readJsonBody(call: BodyCall): JsonBytes | Promise<JsonBytes> {
  const { request, endpoint, allowance } = call
  if (hasNoBody(request)) return EMPTY_OBJECT
  const type = request.headers['content-type'] ?? ''
  if (!JSON_TYPE.test(type) && !takesAnyType(call)) {
    throw unsupportedType('Send the body as JSON with the header "Content-Type: application/json".')
  }
  const limit = endpoint.bodyLimit ?? (endpoint.auth === 'none' ? undefined : DEFAULT_BODY_LIMIT)
  const isRecord = endpoint.takesRecord ?? endpoint.bodyLimit === undefined
  return readBody(request, { limit, isImport: endpoint.takesImport, isRecord }, allowance)
}

/** Context for reading a body. */
interface BodyCall {
  readonly request: IncomingMessage
  readonly endpoint: AnyEndpoint
  readonly caller: Caller | null
  readonly allowance: BodyAllowance
}

/** Body in its original form, as JSON, and as validated by its schema. */
interface ParsedBody {
  readonly rawBody: Buffer
  readonly json: unknown
  readonly body: unknown
}

const NO_BODY: ParsedBody = { rawBody: EMPTY, json: undefined, body: undefined }

function* parseLargeBody(schema: ZodType, bytes: Buffer): Generator<void, ParsedBody> {
  const { value, large } = yield* parseJsonInSteps(bytes)
  return { rawBody: bytes, json: value, body: yield* parseInputInSteps(schema, value, large) }
}

/**
 * Reads and validates a body; a large one in slices, because it takes many times longer than other
 * calls may wait.
 */
async function takeBody(call: BodyCall): Promise<ParsedBody> {
  const { bytes, values } = await readJsonBody(call)
  const schema = call.endpoint.body as ZodType
  if (bytes.length > LARGE_BODY.bytes || values > LARGE_BODY.values)
    return runInTurns(parseLargeBody(schema, bytes))
  const json = parseJson(bytes)
  return { rawBody: bytes, json, body: parseInput(schema, json, 'body') }
}

/** For routes that are served without a whole gateway. */
const ALONE = new BodyIntake()

const RANK: Record<Role, number> = { pending: 0, user: 1, admin: 2 }
const NEEDED = { none: -1, scim: -1, session: 0, user: 1, admin: 2 } as const

/** The central authorisation check: enforces the endpoint's `auth` (docs/decisions.md). */
export function requireCaller(caller: Caller | null, endpoint: AnyEndpoint): void {
  if (endpoint.auth === 'none') return
  if (!caller || (caller.credential === 'scim') !== (endpoint.auth === 'scim'))
    throw unauthorized('Not authenticated')
  if (!(RANK[caller.role] >= NEEDED[endpoint.auth])) {
    throw unauthorized(
      caller.role === 'pending'
        ? 'Your account is waiting for approval. Ask an administrator to activate it.'
        : 'You do not have permission for this. Ask an administrator.',
    )
  }
}

/**
 * Throws if the caller has lost access to the endpoint since the call started, because a body may
 * take long to arrive.
 */
function confirmCaller(
  caller: Caller | null,
  endpoint: AnyEndpoint,
  { requirePermitted }: Pick<ServeOptions, 'requirePermitted'>,
): Promise<void> | void {
  if (caller && !(RANK[caller.role] >= NEEDED[endpoint.auth]))
    throw unauthorized(
      'Your account was changed or deleted while the request was being sent. Sign in again.',
    )
  return requirePermitted(caller, endpoint)
}

class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Marks JSON text as a reply; typed as the value it represents. */
export const asJson = <Body>(text: string): Body => new JsonText(text) as Body

/** Chunks of a text, possibly asynchronous. */
export type Pieces = Iterable<string> | AsyncIterable<string>

class JsonPieces {
  readonly pieces: Pieces
  readonly known: object

  constructor(pieces: Pieces, known: object) {
    this.pieces = pieces
    this.known = known
  }
}

/**
 * Marks a reply that is generated chunk by chunk while it is sent, such as a long chat; each chunk
 * should take well below a millisecond. `known` holds the fields that are available beforehand, for
 * code that needs the result of the call.
 */
export const asJsonPieces = <Body>(pieces: Pieces, known: Partial<Body> = {}): Body =>
  new JsonPieces(pieces, known) as Body

/** Returns the fields of a reply that are available before it is sent: all of a plain one. */
export function knownFields(result: unknown): Readonly<Record<string, unknown>> {
  const known = result instanceof JsonPieces ? result.known : result
  return isRecord(known) && !(known instanceof JsonText) ? known : {}
}

/**
 * Marks a list as a reply, sent element by element; `show` converts each item, and undefined ones
 * are left out.
 */
export const asJsonList = <Item, Shown = Item>(
  items: Iterable<Item | undefined> | AsyncIterable<Item | undefined>,
  show?: (item: Item) => Shown | Promise<Shown>,
): Shown[] => asJsonPieces(toJsonArray(toTexts(items, show)))

const JSON_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
}

const SCIM_HEADERS = { 'Content-Type': 'application/scim+json; charset=utf-8' }

function writeHead(
  response: ServerResponse,
  status: number,
  text: string,
  headers: OutgoingHttpHeaders = {},
): Buffer {
  const bytes = Buffer.from(text, 'utf8')
  response.writeHead(status, { ...JSON_HEADERS, 'Content-Length': bytes.length, ...headers })
  return bytes
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.end(writeHead(response, status, text))
}

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

/**
 * Returns the JSON text of a reply that is text already or generated in chunks; null for a plain
 * value.
 */
export async function toReplyText(result: unknown): Promise<string | null> {
  if (result instanceof JsonText) return result.text
  if (!(result instanceof JsonPieces)) return null
  const pieces: string[] = []
  for await (const piece of result.pieces) {
    pieces.push(piece)
    if (pieces.length % PIECES_IN_A_TURN === 0) await nextTurn()
  }
  return pieces.join('')
}

const ERROR_CODE = /^[\w.-]{1,64}$/

/** Answers a call with an error; after the first byte it can only close the connection. */
export function sendError(
  response: ServerResponse,
  thrown: unknown,
  options: { log: Logger; dialect?: AnyEndpoint['errorDialect'] },
): void {
  const error = toServiceError(thrown)
  if (error.status === 500)
    options.log.error(
      { error: error.cause ?? error, request_id: requestIdOf(response) },
      'unexpected error',
    )
  if (response.destroyed || response.writableEnded) return
  if (response.headersSent) {
    response.destroy()
    return
  }
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value)
  // A provider's code may contain any characters.
  if (ERROR_CODE.test(error.code)) response.setHeader('X-Error-Code', error.code)
  const status = statusOf(error, options.dialect)
  const text = JSON.stringify(toErrorBody(error, options.dialect))
  const bytes = writeHead(response, status, text, options.dialect === 'scim' ? SCIM_HEADERS : {})
  if (response.req.complete || response.req.destroyed) return void response.end(bytes)
  // The response is sent at once, but ended only after the body, because its end may close the
  // connection.
  response.write(bytes)
  discardBody(response.req, () => response.end())
}

function createSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.on('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}

/** HTTP exchange with the path parameters found by the router. */
export interface HttpExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly params: Record<string, unknown>
}

/** Validated input of a call. */
interface CheckedInput extends ParsedBody {
  readonly params: unknown
  readonly query: unknown
  readonly allowance: BodyAllowance
  readonly confirm: () => Promise<void> | void
  readonly notes: CallNotes | null
}

/**
 * Call passed to a handler. A class, because a getter on a plain object gives that object a
 * separate hidden class, which keeps the whole call in memory until the next full garbage
 * collection.
 */
class ServedCall implements HttpCall {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly rawBody: Buffer
  json: unknown
  readonly allowance: BodyAllowance
  readonly caller: Caller | null
  readonly requestId: string
  readonly notes: CallNotes | null
  readonly confirm: () => Promise<void> | void
  readonly request: IncomingMessage
  readonly response: ServerResponse
  #signal: AbortSignal | null = null

  constructor({ request, response }: HttpExchange, caller: Caller | null, input: CheckedInput) {
    const { params, query, body, rawBody, json, allowance, confirm, notes } = input
    this.params = params
    this.query = query
    this.body = body
    this.rawBody = rawBody
    this.json = json
    this.allowance = allowance
    this.caller = caller
    this.requestId = requestIdOf(response)
    this.notes = notes
    this.confirm = confirm
    this.request = request
    this.response = response
  }

  get signal(): AbortSignal {
    return (this.#signal ??= createSignal(this.response))
  }
}

/** Error codes of SQLite and PostgreSQL for a row whose account is missing. */
const REFUSED_ROW = /^(SQLITE_CONSTRAINT_(FOREIGNKEY|TRIGGER)|23000|23503)$/
/** Those among them for a row that refers to another row, which may also be the missing one. */
const REFUSED_REFERENCE = /^(SQLITE_CONSTRAINT_FOREIGNKEY|23503)$/

/**
 * The database rejects rows of an account that was deleted during a call; the caller then counts as
 * unauthenticated. If the account exists, the object the row belongs to was deleted.
 */
async function explainRefusedRow(
  thrown: unknown,
  caller: Caller | null,
  { hasAccount }: ServeOptions,
): Promise<unknown> {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  if (!REFUSED_ROW.test(code) || caller === null || hasAccount === undefined) return thrown
  if (!(await hasAccount(caller.userId))) return unauthorized('This account no longer exists.')
  if (!REFUSED_REFERENCE.test(code)) return thrown
  return notFound('What this belongs to was deleted in the meantime.', { cause: thrown })
}

/** Runs one call: authenticate, authorise, parse, handle, reply. Never throws. */
export async function serveRoute(
  served: Route,
  exchange: HttpExchange,
  options: ServeOptions,
): Promise<void> {
  const { endpoint } = served
  const { request, response, params } = exchange
  const recording = options.record?.(endpoint, exchange)
  let caller: Caller | null = null
  try {
    const known = options.authenticate(request, endpoint)
    caller = known instanceof Promise ? await known : known
    requireCaller(caller, endpoint)
    const permitted = options.requirePermitted(caller, endpoint)
    if (permitted) await permitted
    const allowance = (options.intake ?? ALONE).open(caller?.userId ?? null, request)
    // Emitted once for every reply, so none of its listeners needs the wrapper of `once`.
    response.on('close', () => allowance.release())
    const found = endpoint.body ? await takeBody({ request, endpoint, caller, allowance }) : NO_BODY
    const confirm = (): Promise<void> | void => confirmCaller(caller, endpoint, options)
    if (endpoint.body) await confirm()
    if (caller) options.noteCaller?.(response, caller, endpoint)
    const call = new ServedCall(exchange, caller, {
      ...found,
      params: endpoint.params ? parseInput(endpoint.params, params, 'path') : undefined,
      query: endpoint.query ? parseInput(endpoint.query, parseQuery(request), 'query') : undefined,
      allowance,
      confirm,
      notes: recording?.notes ?? null,
    })
    recording?.noteInput(caller, call)
    const answer = served.handler(call)
    call.json = undefined
    const result = await answer
    if (
      !response.headersSent &&
      !response.writableEnded &&
      !(endpoint.reply === 'stream' && result === undefined)
    )
      await sendResult(response, result)
  } catch (thrown) {
    const error = await explainRefusedRow(
      endpoint.body ? explainDepth(thrown) : thrown,
      caller,
      options,
    )
    recording?.noteFailure(caller, error)
    sendError(response, error, { log: options.log, dialect: endpoint.errorDialect })
  }
}

const isWildcard = (path: string): boolean => path.includes('*')

/**
 * Mounts routes on an express router, under every alias of their endpoints; those that match any
 * path come last.
 */
export function mount(router: Router, routes: readonly Route[], options: ServeOptions): void {
  for (const takesAnyPath of [false, true]) {
    for (const served of routes) {
      const { endpoint } = served
      const paths = [endpoint.path, ...(endpoint.aliases ?? [])].filter(
        (path) => isWildcard(path) === takesAnyPath,
      )
      const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
      if (paths.length > 0)
        router[method](paths, (request, response) =>
          serveRoute(served, { request, response, params: request.params }, options),
        )
    }
  }
}
