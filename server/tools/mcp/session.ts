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
import { errorOutput, type JsonSchema, type ToolOutput } from '../tool.ts'
import { toOutput } from './to-output.ts'

/**
 * Where an MCP server is. `command` is a full path; the process gets `environment` and nothing
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
  /** Whether the server says that it changes nothing. */
  readonly isReadOnly: boolean
}

export interface McpCallOptions {
  readonly signal: AbortSignal
  /** How far a long call has come; `total` and `message` only when the server says so. */
  readonly onProgress?: (progress: {
    done: number
    total: number | null
    message: string | null
  }) => void
}

/** A connection to an MCP server on behalf of one person. */
export interface McpSession {
  readonly server: { readonly name: string; readonly version: string }
  readonly instructions: string
  /**
   * All pages of the list, asked for again after the server said that it changed, and when nothing
   * was heard of it for a while.
   */
  tools(signal: AbortSignal): Promise<readonly McpTool[]>
  /** Failures of the tool are outputs; 502/504 when the server does not answer. */
  call(
    name: string,
    given: Readonly<Record<string, unknown>>,
    options: McpCallOptions,
  ): Promise<ToolOutput>
  readonly isOpen: boolean
  onClosed(listener: () => void): void
  close(): Promise<void>
}

/** What a session reports while it lives. */
export interface McpSessionOptions {
  readonly signal: AbortSignal
  /** A line the server logged, or wrote where programs complain. */
  readonly onLog?: (line: string) => void
  readonly onToolsChanged?: () => void
}

const CLIENT = { name: 'chat-gateway', version: '1.0.0' }
/** Of a server, and of a program, which may have to be installed first. */
const CONNECT_MILLISECONDS = { http: 10_000, stdio: 60_000 }
const LIST_MILLISECONDS = 15_000
const SILENCE_MILLISECONDS = 300_000
const MOST_PAGES = 100
/** A server may have gone away or hang since it was heard last: so long it is taken to be there. */
const PRESENT_MILLISECONDS = 30_000
const LONGEST_LINE = 4_000
const ENDED = -32_000
const ENDED_SENTENCE = 'The tool server ended its reply before it answered.'

/**
 * A reply that ends without its answer is one, as nobody else tells the request that waits for it.
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
    const { fetch, headers, authProvider } = address
    const transport = new StreamableHTTPClientTransport(new URL(address.url), {
      fetch,
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
      if (line.trim() !== '') onLog(cleanToolText(line).slice(0, LONGEST_LINE))
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

/** What undici calls a server that takes the request and says nothing. */
const SILENT = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** The code of the system or of undici behind a failed request. */
function codeOf(error: unknown): string | null {
  const cause: unknown = error instanceof TypeError ? error.cause : null
  return isRecord(cause) && typeof cause['code'] === 'string' ? cause['code'] : null
}

/** The failure of a server as a sentence; what says that a sign-in is needed passes through. */
async function toFailure(error: unknown, signal: AbortSignal): Promise<unknown> {
  if (error instanceof ServiceError || signal.aborted) return error
  const { SdkError, SdkErrorCode, UnauthorizedError } = await import('@modelcontextprotocol/client')
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
  const reason = error instanceof Error ? cleanToolText(error.message) : ''
  return upstreamFailed(`The tool server failed: ${reason || 'it gave no reason'}`, {
    cause: error,
  })
}

async function createClient(changed: () => void, isStdio: boolean): Promise<Client> {
  const mcp = await import('@modelcontextprotocol/client')
  return new mcp.Client(CLIENT, {
    capabilities: {},
    // Asking which version is spoken starts a program a second time; every server still answers the
    // older greeting.
    versionNegotiation: { mode: isStdio ? 'legacy' : 'auto' },
    listChanged: { tools: { autoRefresh: false, onChanged: changed } },
  })
}

/**
 * A session its server has forgotten, or whose connection has ended: nothing was done, and a new
 * session may be asked the same.
 */
export class LostSession extends ServiceError {
  constructor(cause?: unknown) {
    super(502, 'The tool server has forgotten the session.', { code: 'tool_session_lost', cause })
  }
}

/** What servers say about a session they do not know, such as after they were started anew. */
const UNKNOWN_SESSION =
  /session (?:id )?(?:not found|is (?:unknown|invalid|expired)|expired|terminated)|(?:unknown|invalid|expired|no valid|missing) session/i

async function createIsLost(): Promise<(error: unknown) => boolean> {
  const { ProtocolError, SdkHttpError } = await import('@modelcontextprotocol/client')
  return (error) => {
    if (!(error instanceof SdkHttpError))
      return error instanceof ProtocolError && UNKNOWN_SESSION.test(error.message)
    return error.status === 404 || (error.status === 400 && UNKNOWN_SESSION.test(error.message))
  }
}

async function greet(
  client: Client,
  transport: Transport,
  { signal, timeout }: { signal: AbortSignal; timeout: number },
): Promise<void> {
  const abandon = (): void => void client.close()
  signal.addEventListener('abort', abandon)
  try {
    signal.throwIfAborted()
    await client.connect(transport, { timeout })
  } catch (error) {
    await client.close()
    throw await toFailure(error, signal)
  } finally {
    signal.removeEventListener('abort', abandon)
  }
}

/** Connects; rejects with the reason when the server cannot be started, reached or understood. */
export async function openMcpSession(
  address: McpAddress,
  options: McpSessionOptions,
): Promise<McpSession> {
  const { signal, onLog = () => undefined, onToolsChanged } = options
  const { ProtocolError } = await import('@modelcontextprotocol/client')
  const isLost = await createIsLost()
  const closedListeners: (() => void)[] = []
  let isOpen = true
  let known: readonly McpTool[] | null = null
  const client = await createClient(() => {
    known = null
    onToolsChanged?.()
  }, address.kind === 'stdio')
  client.onerror = (error) => onLog(cleanToolText(error.message).slice(0, LONGEST_LINE))
  client.onclose = () => {
    isOpen = false
    for (const listener of closedListeners) listener()
  }
  client.setNotificationHandler('notifications/message', ({ params }) => {
    onLog(
      cleanToolText(
        `${params.level}: ${typeof params.data === 'string' ? params.data : JSON.stringify(params.data)}`,
      ).slice(0, LONGEST_LINE),
    )
  })
  const transport = await createTransport(address, onLog)
  await greet(client, transport, { signal, timeout: CONNECT_MILLISECONDS[address.kind] })
  let heardAt = performance.now()

  return {
    server: {
      name: cleanToolText(client.getServerVersion()?.name ?? ''),
      version: client.getServerVersion()?.version ?? '',
    },
    instructions: cleanToolText(client.getInstructions() ?? ''),
    get isOpen() {
      return isOpen
    },
    onClosed: (listener) => void closedListeners.push(listener),
    async tools(listSignal) {
      if (known && performance.now() - heardAt < PRESENT_MILLISECONDS) return known
      if (!client.getServerCapabilities()?.tools) return (known = [])
      try {
        const tools = await listAll(client, listSignal)
        heardAt = performance.now()
        known = tools
        return tools
      } catch (error) {
        // A server that was there before may be there again behind another session.
        if (listSignal.aborted || (known === null && !isLost(error)))
          throw await toFailure(error, listSignal)
        await client.close()
        throw new LostSession(error)
      }
    },
    async call(name, given, { signal: callSignal, onProgress }) {
      if (!isOpen) throw new LostSession()
      try {
        const result = await client.callTool(
          { name, arguments: { ...given } },
          {
            signal: callSignal,
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
        heardAt = performance.now()
        return toOutput(result)
      } catch (error) {
        if (isLost(error)) {
          await client.close()
          throw new LostSession(error)
        }
        if (error instanceof ProtocolError) return errorOutput(cleanToolText(error.message))
        // The next answer asks whether it is still there.
        heardAt = -Infinity
        throw await toFailure(error, callSignal)
      }
    },
    close: () => client.close(),
  }
}
