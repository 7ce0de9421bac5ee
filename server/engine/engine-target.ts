import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { ServiceError } from '../lib/errors.ts'
import { isRecord, type Fields } from '../lib/is-record.ts'
import {
  StaleConnectionError,
  type OutgoingReply,
  type OutgoingRequest,
  type OutgoingTarget,
} from '../lib/outgoing/outgoing.ts'
import { toServiceError } from '../lib/serving/to-error.ts'
import { describeModel, describeTag, toLoadedRows } from './describe-models.ts'
import type { EngineHost, RunningEngine } from './engine-host.ts'
import { createModel } from './create-model.ts'
import type { Blobs } from './downloads/blobs.ts'
import type { ModelLibrary } from './library/model-library.ts'
import { LocalReply } from './local-reply.ts'
import { CALL_HEADER, DIGEST_HEADER, FILE_HEADER } from './program/protocol.ts'

/** Yields the progress lines of a download. */
export type PullModel = (name: string, signal: AbortSignal) => AsyncIterable<unknown>

interface EngineParts {
  readonly host: EngineHost
  readonly library: ModelLibrary
  readonly version: string
  readonly pull: PullModel
  readonly blobs: Blobs
  /** Throws if the bundled runtime may not be used. */
  readonly requireOn: () => void
}

type Answer = (body: Fields, signal: AbortSignal) => Promise<OutgoingReply> | OutgoingReply

/** Paths the engine itself serves, for the file of the model. */
const ENGINE_PATHS: ReadonlySet<string> = new Set([
  '/api/chat',
  '/api/generate',
  '/api/embed',
  '/api/embeddings',
  '/v1/completions',
  '/v1/rerank',
])

/** Files named by their hash. */
const BLOBS = '/api/blobs/'

/** Calls that create or pass on models, which this runtime does not support. */
const REFUSED: Readonly<Record<string, string>> = {
  '/api/copy':
    'The runtime that comes along does not copy models. Make a workspace model with another name instead.',
  '/api/push': 'The runtime that comes along does not publish models.',
}

/**
 * Maximum number of attempts to send a call: an engine may end before receiving it, and so may a
 * kept-alive connection.
 */
const MOST_TRIES = 4

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

const refuse = (status: number, error: string): LocalReply => LocalReply.json({ error }, status)

function readBody({ body }: OutgoingRequest): Fields {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return {}
  const value: unknown = JSON.parse(body.toString())
  return isRecord(value) ? value : {}
}

const modelOf = (body: Fields): string => {
  const name = body['model'] ?? body['name']
  return typeof name === 'string' ? name : ''
}

/**
 * The bundled runtime as its connection sees it: calls about the known files are answered at once;
 * only calls for a model start the engine.
 */
export class EngineTarget implements OutgoingTarget {
  readonly #parts: EngineParts
  readonly #answers: Readonly<Record<string, Answer>>
  readonly #closing = new AbortController()

  constructor(parts: EngineParts) {
    this.#parts = parts
    this.#answers = {
      'GET /api/tags': async () =>
        LocalReply.json({ models: (await this.#usable()).map(describeTag) }),
      'GET /api/version': () => LocalReply.json({ version: parts.version }),
      'GET /api/ps': () => this.#listLoaded(),
      'POST /api/show': (body) => this.#show(modelOf(body)),
      'POST /api/pull': (body, signal) => this.#tell(parts.pull(modelOf(body), signal), body),
      'POST /api/create': (body) => this.#tell(createModel(parts, body), body),
      'DELETE /api/delete': (body) => this.#remove(modelOf(body)),
    }
  }

  async open(request: OutgoingRequest, signal: AbortSignal): Promise<OutgoingReply> {
    this.#parts.requireOn()
    const until = AbortSignal.any([signal, this.#closing.signal])
    try {
      if (ENGINE_PATHS.has(request.path)) return await this.#ask(request, until)
      if (request.path.startsWith(BLOBS)) return await this.#serveBlob(request, until)
      const answer = this.#answers[`${request.method} ${request.path}`]
      if (!answer)
        return refuse(501, REFUSED[request.path] ?? 'The runtime that comes along cannot do this.')
      return await answer(readBody(request), until)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return refuse(error.status, error.message)
    }
  }

  async retire(): Promise<void> {}

  async close(reason?: Error): Promise<void> {
    this.#closing.abort(reason)
  }

  async #usable() {
    return (await this.#parts.library.list()).filter(({ problem }) => problem === null)
  }

  async #ask(request: OutgoingRequest, signal: AbortSignal): Promise<OutgoingReply> {
    const body = readBody(request)
    const entry = await this.#parts.library.find(modelOf(body))
    if (!entry) return refuse(404, `There is no model "${modelOf(body)}" on the gateway.`)
    if (entry.problem !== null) return refuse(422, entry.problem)
    if (isUnload(body) && !this.#parts.host.isRunning) return LocalReply.json(unloaded(body))
    const { onWait } = request
    if (onWait && !this.#parts.host.isRunning) onWait({ reason: 'loading', progress: null })
    const id = randomUUID()
    const send = (engine: RunningEngine): Promise<OutgoingReply> => {
      const { target, token } = engine
      const headers = {
        ...request.headers,
        authorization: `Bearer ${token}`,
        [FILE_HEADER]: encodeURIComponent(entry.file),
        [DIGEST_HEADER]: entry.digest,
        ...(onWait && { [CALL_HEADER]: id }),
      }
      const opening = target.open({ ...request, headers }, signal)
      if (!onWait) return opening
      engine.watch(id, onWait)
      return opening.finally(() => engine.unwatch(id))
    }
    return this.#sendToNext(send, MOST_TRIES)
  }

  /** Resends a call to the next engine if the previous one was ending and did not receive it. */
  async #sendToNext(
    send: (engine: RunningEngine) => Promise<OutgoingReply>,
    tries: number,
  ): Promise<OutgoingReply> {
    const engine = await this.#parts.host.open()
    try {
      return await send(engine)
    } catch (error) {
      const isRefused = hasCode(error, 'ECONNREFUSED')
      if (isRefused) engine.abandon()
      const isUnheard =
        isRefused ||
        error instanceof StaleConnectionError ||
        (engine.isEnding() && hasCode(error, 'ECONNRESET'))
      if (!isUnheard || tries <= 1) throw error
      return this.#sendToNext(send, tries - 1)
    }
  }

  async #listLoaded(): Promise<OutgoingReply> {
    if (!this.#parts.host.isRunning) return LocalReply.json({ models: [] })
    const { target, token } = await this.#parts.host.open()
    const reply = await target.open(
      {
        method: 'GET',
        path: '/api/ps',
        headers: { authorization: `Bearer ${token}` },
        body: null,
        firstByteMilliseconds: 2000,
        idleMilliseconds: 2000,
      },
      this.#closing.signal,
    )
    const rows: unknown = JSON.parse((await reply.bytes(1024 * 1024)).toString())
    return LocalReply.json({ models: toLoadedRows(rows, await this.#parts.library.list()) })
  }

  async #show(name: string): Promise<OutgoingReply> {
    const entry = await this.#parts.library.find(name)
    if (!entry) return refuse(404, `There is no model "${name}" on the gateway.`)
    return entry.info ? LocalReply.json(describeModel(entry)) : refuse(422, entry.problem ?? '')
  }

  async #remove(name: string): Promise<OutgoingReply> {
    await this.#parts.library.remove(name)
    return LocalReply.json({})
  }

  async #serveBlob(request: OutgoingRequest, signal: AbortSignal): Promise<OutgoingReply> {
    const { blobs } = this.#parts
    const { method, path, headers, body } = request
    const digest = path.slice(BLOBS.length)
    if (method === 'HEAD')
      return (await blobs.find(digest)) === null
        ? refuse(404, 'There is no file of this hash.')
        : LocalReply.json({})
    if (method !== 'POST' || !(body instanceof Readable))
      return refuse(405, 'Send the file itself.')
    const announced = Number(headers['content-length'] ?? Number.NaN)
    const length = Number.isNaN(announced) ? null : announced
    await blobs.keep({ digest, source: body as AsyncIterable<Buffer>, length, signal })
    return LocalReply.json({}, 201)
  }

  /** Responds with progress lines, or with one object at the end. */
  async #tell(lines: AsyncIterable<unknown>, body: Fields): Promise<OutgoingReply> {
    if (body['stream'] !== false) return LocalReply.lines(tellFaults(lines))
    for await (const _ of lines);
    return LocalReply.json({ status: 'success' })
  }
}

/** Reports whether a call only frees memory; no engine has to be started for it. */
const isUnload = ({ keep_alive: keepAlive, prompt, messages, input }: Fields): boolean =>
  keepAlive === 0 && !prompt && !input && !(Array.isArray(messages) && messages.length > 0)

const unloaded = (body: Fields): Fields =>
  'input' in body
    ? { model: modelOf(body), embeddings: [] }
    : { model: modelOf(body), response: '', done: true, done_reason: 'unload' }

/** In this protocol, failures are the last line. */
async function* tellFaults(lines: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  try {
    yield* lines
  } catch (error) {
    yield { error: toServiceError(error).message }
  }
}
