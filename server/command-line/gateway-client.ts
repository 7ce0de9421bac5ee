import {
  createOutgoingTarget,
  type OutgoingReply,
  type OutgoingTarget,
} from '../lib/outgoing/outgoing.ts'
import { SseScanner } from '../lib/bytes/sse.ts'
import { readLocalAccess } from '../config/local-access.ts'
import type { Environment } from '../config/env.ts'
import { CommandError, EXIT } from './command-error.ts'
import type { RunningGateway } from './find-gateway.ts'

const CONNECT_MILLISECONDS = 5000
const ANSWER_MILLISECONDS = 600_000
const LARGEST_REPLY = 256 * 1024 * 1024

interface ClientRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: unknown
}

function toSentence(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown }
    if (typeof detail === 'string') return detail
    if (Array.isArray(detail))
      return detail
        .map(({ loc, msg }: { loc: unknown[]; msg: string }) => `${loc.slice(1).join('.')} ${msg}`)
        .join('; ')
  } catch {
    return text.slice(0, 500)
  }
  return text.slice(0, 500)
}

async function requireGood(reply: OutgoingReply): Promise<OutgoingReply> {
  if (reply.status < 400) return reply
  const sentence = toSentence((await reply.bytes(LARGEST_REPLY)).toString('utf8'))
  const isRefused = reply.status === 401 || reply.status === 403
  throw new CommandError(
    isRefused ? EXIT.notPermitted : EXIT.failed,
    sentence || `The gateway answered ${reply.status}.`,
  )
}

/**
 * Uses the key of the environment, or else a short session for callers that can read the data
 * folder.
 */
async function signIn(
  gateway: RunningGateway,
  environment: Environment,
  exchange: (token: string) => Promise<{ token: string }>,
): Promise<string> {
  const key = environment['CHAT_GATEWAY_API_KEY']?.trim()
  if (key) return key
  const token = readLocalAccess(gateway.dataDir)
  if (token === null) {
    throw new CommandError(
      EXIT.notPermitted,
      `The data folder ${gateway.dataDir} cannot be read. Run this as the account the gateway runs as, or put an API key into CHAT_GATEWAY_API_KEY.`,
    )
  }
  return (await exchange(token)).token
}

/** Client for a running gateway; `connect` signs it in. */
export class GatewayClient {
  readonly gateway: RunningGateway
  readonly #signal: AbortSignal
  readonly #target: OutgoingTarget
  #credential: string | null = null

  constructor(gateway: RunningGateway, signal: AbortSignal) {
    this.gateway = gateway
    this.#signal = signal
    this.#target = createOutgoingTarget(gateway.url, { connectMilliseconds: CONNECT_MILLISECONDS })
  }

  /** Signs in to a running gateway. */
  static async connect(
    gateway: RunningGateway,
    { environment, signal }: { environment: Environment; signal: AbortSignal },
  ): Promise<GatewayClient> {
    const client = new GatewayClient(gateway, signal)
    client.#credential = await signIn(gateway, environment, (token) =>
      client.post('/api/v1/auths/local', { token }),
    )
    return client
  }

  get<Reply>(path: string): Promise<Reply> {
    return this.#call({ method: 'GET', path })
  }

  post<Reply>(path: string, body?: unknown): Promise<Reply> {
    return this.#call({ method: 'POST', path, body })
  }

  remove<Reply>(path: string): Promise<Reply> {
    return this.#call({ method: 'DELETE', path })
  }

  /**
   * Yields the `data` of server-sent events until the gateway ends the stream or the user aborts.
   */
  async *events(request: ClientRequest): AsyncGenerator<string, void, void> {
    const reply = await requireGood(await this.#open(request))
    const scanner = new SseScanner()
    for await (const chunk of reply.chunks()) yield* scanner.push(chunk).map(({ data }) => data)
    yield* scanner.end().map(({ data }) => data)
  }

  close(): Promise<void> {
    return this.#target.close()
  }

  async #open({ method, path, body }: ClientRequest): Promise<OutgoingReply> {
    const { url, version } = this.gateway
    const headers: Record<string, string> = { 'user-agent': `chat-gateway-cli/${version}` }
    if (this.#credential !== null) headers['authorization'] = `Bearer ${this.#credential}`
    if (body !== undefined) headers['content-type'] = 'application/json'
    const text = body === undefined ? null : JSON.stringify(body)
    const limits = {
      firstByteMilliseconds: ANSWER_MILLISECONDS,
      idleMilliseconds: ANSWER_MILLISECONDS,
    }
    try {
      const request = { method, path, headers, body: text, ...limits }
      return await this.#target.open(request, this.#signal)
    } catch (cause) {
      if (this.#signal.aborted) throw cause
      throw new CommandError(
        EXIT.notRunning,
        `The gateway at ${url} does not answer. Restart it; \`chat-gateway doctor\` tells more.`,
      )
    }
  }

  async #call<Reply>(request: ClientRequest): Promise<Reply> {
    const reply = await requireGood(await this.#open(request))
    return JSON.parse((await reply.bytes(LARGEST_REPLY)).toString('utf8')) as Reply
  }
}
