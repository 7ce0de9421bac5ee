import type * as Sdk from '@modelcontextprotocol/client'
import type {
  AuthProvider,
  Client,
  FetchLike,
  StreamableHTTPClientTransport,
  Tool,
  Transport,
} from '@modelcontextprotocol/client'
import { ServiceError, timedOut, upstreamFailed } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import { cleanToolText } from '#contract/openapi/clean-text.ts'
import { errorOutput, type JsonSchema, type ToolOutput } from '../calls/tool.ts'
import { limitReply } from './limit-reply.ts'
import { toOutput } from './to-output.ts'

/**
 * Location of an MCP server. `command` is a full path; the process gets `environment` and nothing
 * else.
 */
export type McpAddress =
  | {
      readonly kind: 'http'
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      readonly fetch: FetchLike
      readonly authProvider?: AuthProvider
    }
  | {
      readonly kind: 'stdio'
      readonly command: string
      readonly arguments: readonly string[]
      readonly environment: Readonly<Record<string, string>>
      readonly folder: string
    }

/** A tool as its server describes it, without invisible characters. */
export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly parameters: JsonSchema
  /** True if the server declares that it changes nothing. */
  readonly isReadOnly: boolean
}

export interface McpCallOptions {
  readonly signal: AbortSignal
  /** Progress of a long call; `total` and `message` only if the server sends them. */
  readonly onProgress?: (progress: {
    done: number
    total: number | null
    message: string | null
  }) => void
}

/** Options and callbacks of a session. */
export interface McpSessionOptions {
  readonly signal: AbortSignal
  /** Receives a line that the server logged or wrote to standard error. */
  readonly onLog?: (line: string) => void
  readonly onToolsChanged?: () => void
}

const CLIENT = { name: 'chat-gateway', version: '1.0.0' }
/**
 * Time limits for connecting to a server, and to a program, which may have to be installed first.
 */
const CONNECT_MILLISECONDS = { http: 10_000, stdio: 60_000 }
const LIST_MILLISECONDS = 15_000
const SILENCE_MILLISECONDS = 300_000
const MOST_PAGES = 100
/** Time since the last response for which a server is assumed to be available. */
const PRESENT_MILLISECONDS = 30_000
const LONGEST_LINE = 4_000
const ENDED = -32_000
const ENDED_SENTENCE = 'The tool server ended its reply before it answered.'

/**
 * Converts a response stream that ends without an answer to an error, because nothing else notifies
 * the waiting request.
 */
function answerEndedRequests(transport: StreamableHTTPClientTransport): void {
  const waiting = new Set<string | number>()
  const send = transport.send.bind(transport)
  transport.onmessage = (message) =>
    void ('id' in message && message.id !== undefined && waiting.delete(message.id))
  transport.send = (message, options) => {
    if (Array.isArray(message) || !('method' in message && 'id' in message))
      return send(message, options)
    const { id } = message
    waiting.add(id)
    const onRequestStreamEnd = (): void => {
      if (waiting.has(id))
        transport.onmessage?.({
          jsonrpc: '2.0',
          id,
          error: { code: ENDED, message: ENDED_SENTENCE },
        })
    }
    return send(message, { ...options, onRequestStreamEnd }).catch((error: unknown) => {
      waiting.delete(id)
      throw error
    })
  }
}

async function createTransport(
  address: McpAddress,
  onLog: (line: string) => void,
): Promise<Transport> {
  if (address.kind === 'http') {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
    const { fetch: send, headers, authProvider } = address
    const transport = new StreamableHTTPClientTransport(new URL(address.url), {
      fetch: async (...given) => limitReply(await send(...given)),
      requestInit: { headers },
      ...(authProvider && { authProvider }),
    })
    answerEndedRequests(transport)
    return transport
  }
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
  const { command, environment, folder } = address
  const transport = new StdioClientTransport({
    command,
    args: [...address.arguments],
    env: environment,
    cwd: folder,
    stderr: 'pipe',
  })
  transport.stderr?.on('data', (piece: Buffer) => {
    for (const line of piece.toString('utf8').split('\n'))
      if (line.trim() !== '') onLog(clean(line))
  })
  return transport
}

const toTool = ({ name, title, description, inputSchema, annotations }: Tool): McpTool => ({
  name,
  title: cleanToolText(title ?? annotations?.title ?? name),
  description: cleanToolText(description ?? ''),
  parameters: inputSchema,
  isReadOnly: annotations?.readOnlyHint === true,
})

async function listAll(client: Client, signal: AbortSignal): Promise<McpTool[]> {
  const tools: McpTool[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const reply = await client.listTools(cursor === undefined ? {} : { cursor }, {
      signal,
      timeout: LIST_MILLISECONDS,
    })
    tools.push(...reply.tools.map(toTool))
    cursor = reply.nextCursor
    if (cursor === undefined) break
  }
  return tools
}

/** Error codes of undici for a server that accepts the request and does not respond. */
const SILENT = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Returns the system's or undici's error code of a failed request. */
function codeOf(error: unknown): string | null {
  const cause: unknown = error instanceof TypeError ? error.cause : null
  return isRecord(cause) && typeof cause['code'] === 'string' ? cause['code'] : null
}

/**
 * A session unknown to its server, or with a closed connection: nothing was executed, so the
 * request may be repeated in a new session.
 */
export class LostSession extends ServiceError {
  constructor(cause?: unknown) {
    super(502, 'The tool server has forgotten the session.', { code: 'tool_session_lost', cause })
  }
}

/** Messages of servers about a session they do not know, for example after a restart. */
const UNKNOWN_SESSION =
  /session (?:id )?(?:not found|is (?:unknown|invalid|expired)|expired|terminated)|(?:unknown|invalid|expired|no valid|missing) session/i

const clean = (line: string): string => cleanToolText(line).slice(0, LONGEST_LINE)

/** A connection to an MCP server on behalf of one user. */
export class McpSession {
  readonly #client: Client
  readonly #sdk: typeof Sdk
  readonly #closedListeners: (() => void)[] = []
  /** Null until the list is read, and after the server reported a change. */
  #known: readonly McpTool[] | null = null
  #heardAt = performance.now()
  #isOpen = true

  constructor(
    isStdio: boolean,
    sdk: typeof Sdk,
    { onLog = () => undefined, onToolsChanged }: McpSessionOptions,
  ) {
    const onChanged = (): void => {
      this.#known = null
      onToolsChanged?.()
    }
    this.#sdk = sdk
    this.#client = new sdk.Client(CLIENT, {
      capabilities: {},
      // Version negotiation starts a program a second time; every server still accepts the older
      // handshake.
      versionNegotiation: { mode: isStdio ? 'legacy' : 'auto' },
      listChanged: { tools: { autoRefresh: false, onChanged } },
    })
    this.#client.onerror = (error) => onLog(clean(error.message))
    this.#client.onclose = () => {
      this.#isOpen = false
      for (const listener of this.#closedListeners) listener()
    }
    this.#client.setNotificationHandler('notifications/message', ({ params: { level, data } }) => {
      onLog(clean(`${level}: ${typeof data === 'string' ? data : JSON.stringify(data)}`))
    })
  }

  get server(): { readonly name: string; readonly version: string } {
    const { name = '', version = '' } = this.#client.getServerVersion() ?? {}
    return { name: cleanToolText(name), version }
  }

  get instructions(): string {
    return cleanToolText(this.#client.getInstructions() ?? '')
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  onClosed(listener: () => void): void {
    this.#closedListeners.push(listener)
  }

  async greet(transport: Transport, signal: AbortSignal, timeout: number): Promise<void> {
    const abandon = (): void => void this.close()
    signal.addEventListener('abort', abandon)
    try {
      signal.throwIfAborted()
      await this.#client.connect(transport, { timeout })
    } catch (error) {
      await this.close()
      throw this.#toFailure(error, signal)
    } finally {
      signal.removeEventListener('abort', abandon)
    }
  }

  /**
   * Returns all pages of the list, requested again after the server reported a change, and after a
   * while without a response.
   */
  async tools(signal: AbortSignal): Promise<readonly McpTool[]> {
    // A closed client reports no abilities, which would look like a server without tools.
    if (!this.#isOpen) throw new LostSession()
    if (this.#known && performance.now() - this.#heardAt < PRESENT_MILLISECONDS) return this.#known
    if (!this.#client.getServerCapabilities()?.tools) return (this.#known = [])
    try {
      const tools = await listAll(this.#client, signal)
      this.#heardAt = performance.now()
      this.#known = tools
      return tools
    } catch (error) {
      // A server that was available before may be available again in another session, and so may one
      // whose session was closed meanwhile because its settings changed.
      const mayBeThere = this.#known !== null || !this.#isOpen || this.#isLost(error)
      if (signal.aborted || !mayBeThere) throw this.#toFailure(error, signal)
      await this.close()
      throw new LostSession(error)
    }
  }

  /** Failures of the tool are outputs; throws 502/504 if the server does not respond. */
  async call(
    name: string,
    given: Readonly<Record<string, unknown>>,
    { signal, onProgress }: McpCallOptions,
  ): Promise<ToolOutput> {
    if (!this.#isOpen) throw new LostSession()
    try {
      const result = await this.#client.callTool(
        { name, arguments: { ...given } },
        {
          signal,
          timeout: SILENCE_MILLISECONDS,
          resetTimeoutOnProgress: true,
          ...(onProgress && {
            onprogress: ({ progress, total, message }) =>
              onProgress({
                done: progress,
                total: total ?? null,
                message: message === undefined ? null : cleanToolText(message),
              }),
          }),
        },
      )
      this.#heardAt = performance.now()
      return toOutput(result)
    } catch (error) {
      if (this.#isLost(error)) {
        await this.close()
        throw new LostSession(error)
      }
      if (error instanceof this.#sdk.ProtocolError) return errorOutput(cleanToolText(error.message))
      // The next call checks whether the server is still available.
      this.#heardAt = -Infinity
      throw this.#toFailure(error, signal)
    }
  }

  close(): Promise<void> {
    return this.#client.close()
  }

  #isLost(error: unknown): boolean {
    if (!(error instanceof this.#sdk.SdkHttpError))
      return error instanceof this.#sdk.ProtocolError && UNKNOWN_SESSION.test(error.message)
    return error.status === 404 || (error.status === 400 && UNKNOWN_SESSION.test(error.message))
  }

  /**
   * Returns a server's failure as a sentence; errors that require a sign-in are returned unchanged.
   */
  #toFailure(thrown: unknown, signal: AbortSignal): unknown {
    if (thrown instanceof ServiceError || signal.aborted) return thrown
    const { SdkError, SdkErrorCode, UnauthorizedError } = this.#sdk
    // The first call of a session wraps the reason why it failed.
    const isWrapped =
      thrown instanceof SdkError && thrown.code === SdkErrorCode.EraNegotiationFailed
    const error = isWrapped && thrown.cause instanceof TypeError ? thrown.cause : thrown
    if (error instanceof UnauthorizedError) return error
    const code = codeOf(error)
    if (
      (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) ||
      (code !== null && SILENT.has(code))
    ) {
      return timedOut('The tool server did not answer in time.', { cause: error })
    }
    if (code !== null)
      return upstreamFailed(`The tool server could not be reached (${code}).`, { cause: error })
    // What follows the first line lists every rule that an unexpected reply breaks.
    const told = error instanceof TypeError && error.cause instanceof Error ? error.cause : error
    const [reason = ''] =
      told instanceof Error ? cleanToolText(told.message).split(/:?\s*[[{]?\n/) : []
    return upstreamFailed(`The tool server failed: ${reason || 'it gave no reason'}`, {
      cause: error,
    })
  }
}

/** Connects; rejects with the reason if the server cannot be started, reached or understood. */
export async function openMcpSession(
  address: McpAddress,
  options: McpSessionOptions,
): Promise<McpSession> {
  const sdk = await import('@modelcontextprotocol/client')
  const session = new McpSession(address.kind === 'stdio', sdk, options)
  const transport = await createTransport(address, options.onLog ?? (() => undefined))
  await session.greet(transport, options.signal, CONNECT_MILLISECONDS[address.kind])
  return session
}
