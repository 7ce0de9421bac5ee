import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { MetricsAddress } from '../config/parse-metrics-address.ts'
import { StartError } from '../config/start-error.ts'
import { isLoopbackHost } from '../lib/outgoing/host-address.ts'
import type { Logger } from '../lib/logger.ts'
import { createServer } from '../lib/serving/node-http.ts'
import type { Metrics } from './metrics.ts'

const LIMITS = { headersTimeout: 5000, requestTimeout: 10_000, keepAliveTimeout: 65_000 }
const MOST_CONNECTIONS = 32

interface ListenerOptions {
  readonly address: MetricsAddress
  readonly metrics: Metrics
  readonly log: Logger
}

/**
 * Reports whether a foreign page directed the browser here under its own host name (DNS rebinding):
 * a loopback listener must be requested by a loopback name.
 */
function isLedAstray({ headers }: IncomingMessage, { host }: MetricsAddress): boolean {
  if (!isLoopbackHost(host)) return false
  const asked = `http://${headers.host ?? 'localhost'}`
  return !URL.canParse(asked) || !isLoopbackHost(new URL(asked).hostname)
}

function refuse(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' })
  response.end(`${sentence}\n`)
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { address, metrics, log }: ListenerOptions,
): Promise<void> {
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Cache-Control', 'no-store')
  if (isLedAstray(request, address)) return refuse(response, 403, 'Ask for it by its address.')
  if ((request.url ?? '').split('?', 1)[0] !== '/metrics')
    return refuse(response, 404, 'Measurements are at /metrics.')
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD')
    return refuse(response, 405, 'Measurements are only read.')
  }
  try {
    const text = await metrics.read()
    response.writeHead(200, { 'Content-Type': metrics.contentType })
    response.end(text)
  } catch (error) {
    log.error({ error }, 'the metrics could not be read')
    refuse(response, 500, 'The measurements could not be read. The log has the details.')
  }
}

async function bind(server: Server, { host, port }: MetricsAddress): Promise<void> {
  server.listen({ host, port, exclusive: true })
  try {
    await once(server, 'listening')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    const reason =
      code === 'EADDRINUSE'
        ? 'something else listens there already'
        : `this computer cannot listen there (${code})`
    throw new StartError(
      `METRICS_ADDRESS=${JSON.stringify(`${host}:${port}`)} cannot be used: ${reason}. Name another address, or leave it empty.`,
      { cause },
    )
  }
}

/** Opens the listener for metrics; resolves with the function that closes it. */
export async function listenForMetrics(options: ListenerOptions): Promise<() => Promise<void>> {
  const { address, log } = options
  const server = createServer(LIMITS, (request, response) => {
    // A request body is ignored.
    request.resume()
    void answer(request, response, options)
  })
  server.maxConnections = MOST_CONNECTIONS
  await bind(server, address)
  if (!isLoopbackHost(address.host))
    log.warn(
      { address: address.host, port: address.port },
      'metrics can be read without authentication at this address',
    )
  return async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
}
