import { createOutgoingTarget, type OutgoingReply } from '../lib/outgoing.ts'
import { createSseScanner } from '../lib/sse.ts'
import { readLocalAccess } from '../config/local-access.ts'
import type { Environment } from '../config/env.ts'
import { CommandError, EXIT } from './command-error.ts'
import type { RunningGateway } from './find-gateway.ts'

/** Calls of the running gateway, signed in. */
export interface GatewayClient {
  readonly gateway: RunningGateway
  get<Reply>(path: string): Promise<Reply>
  post<Reply>(path: string, body?: unknown): Promise<Reply>
  remove<Reply>(path: string): Promise<Reply>
  /** The `data` of server-sent events, until the gateway ends them or the person leaves. */
  events(request: {
    method: 'GET' | 'POST'
    path: string
    body?: unknown
  }): AsyncGenerator<string, void, void>
  close(): Promise<void>
}

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

/** The key of the environment, else a short session for whoever may read the data folder. */
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
      `The data folder ${gateway.dataDir} cannot be read. Run this as the person the gateway runs as, or put an API key into CHAT_GATEWAY_API_KEY.`,
    )
  }
  return (await exchange(token)).token
}

/** Signs in to a running gateway. */
export async function connectGateway(
  gateway: RunningGateway,
  { environment, signal }: { environment: Environment; signal: AbortSignal },
): Promise<GatewayClient> {
  const target = createOutgoingTarget(gateway.url, { connectMilliseconds: CONNECT_MILLISECONDS })
  let credential: string | null = null

  async function open({ method, path, body }: ClientRequest): Promise<OutgoingReply> {
    const headers: Record<string, string> = { 'user-agent': `chat-gateway-cli/${gateway.version}` }
    if (credential !== null) headers['authorization'] = `Bearer ${credential}`
    if (body !== undefined) headers['content-type'] = 'application/json'
    const text = body === undefined ? null : JSON.stringify(body)
    const limits = {
      firstByteMilliseconds: ANSWER_MILLISECONDS,
      idleMilliseconds: ANSWER_MILLISECONDS,
    }
    try {
      return await target.open({ method, path, headers, body: text, ...limits }, signal)
    } catch (cause) {
      if (signal.aborted) throw cause
      throw new CommandError(
        EXIT.notRunning,
        `The gateway at ${gateway.url} does not answer. Restart it; \`chat-gateway doctor\` tells more.`,
      )
    }
  }
  async function call<Reply>(request: ClientRequest): Promise<Reply> {
    const reply = await requireGood(await open(request))
    return JSON.parse((await reply.bytes(LARGEST_REPLY)).toString('utf8')) as Reply
  }

  credential = await signIn(gateway, environment, (token) =>
    call({ method: 'POST', path: '/api/v1/auths/local', body: { token } }),
  )
  return {
    gateway,
    get: (path) => call({ method: 'GET', path }),
    post: (path, body) => call({ method: 'POST', path, body }),
    remove: (path) => call({ method: 'DELETE', path }),
    async *events(request) {
      const reply = await requireGood(await open(request))
      const scanner = createSseScanner()
      for await (const chunk of reply.chunks()) yield* scanner.push(chunk).map(({ data }) => data)
      yield* scanner.end().map(({ data }) => data)
    },
    close: () => target.close(),
  }
}
