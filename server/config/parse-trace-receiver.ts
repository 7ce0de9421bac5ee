import type { Environment } from './env.ts'
import { StartError } from './start-error.ts'

/** Receiver of traces, by OTLP over HTTP. */
export interface TraceReceiver {
  readonly origin: string
  readonly path: string
  /** For example a key of the receiver. */
  readonly headers: Readonly<Record<string, string>>
  /** Name of this gateway there. */
  readonly serviceName: string
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/
const CONTROL = /[\p{Cc}\u0080-\uffff]/u
/** Headers set by the sender itself. */
const OWN_HEADERS = new Set(['content-type', 'content-length', 'host', 'transfer-encoding'])

const refuse = (name: string, reason: string): never => {
  // Never contains the value, which may include a key.
  throw new StartError(`${name} ${reason}`)
}

function parseEndpoint(text: string): URL {
  const name = 'OTEL_EXPORTER_OTLP_ENDPOINT'
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    return refuse(name, 'is not an address. Allowed: http:// or https://, a host and a port.')
  if (url.username !== '' || url.password !== '')
    return refuse(
      name,
      'holds a name or password. Put what the receiver asks for into OTEL_EXPORTER_OTLP_HEADERS.',
    )
  if (url.search !== '' || url.hash !== '')
    return refuse(name, 'has a query or a mark at its end; /v1/traces is added to its path.')
  return url
}

function parseHeader(pair: string): [name: string, value: string] {
  const place = pair.indexOf('=')
  const name = pair.slice(0, place).trim().toLowerCase()
  let value = pair.slice(place + 1).trim()
  try {
    value = decodeURIComponent(value)
  } catch {
    // The value is used without decoding.
  }
  if (place < 1 || !HEADER_NAME.test(name) || CONTROL.test(value) || OWN_HEADERS.has(name))
    return refuse(
      'OTEL_EXPORTER_OTLP_HEADERS',
      'cannot be read. Allowed: name=value pairs with commas between them.',
    )
  return [name, value]
}

/** Returns the receiver named by `OTEL_EXPORTER_OTLP_ENDPOINT`; null if traces are disabled. */
export function parseTraceReceiver(environment: Environment): TraceReceiver | null {
  const text = environment['OTEL_EXPORTER_OTLP_ENDPOINT']?.trim() ?? ''
  if (text === '') return null
  const { origin, pathname } = parseEndpoint(text)
  const pairs = (environment['OTEL_EXPORTER_OTLP_HEADERS'] ?? '').split(',')
  return {
    origin,
    path: `${pathname.replace(/\/+$/, '')}/v1/traces`,
    headers: Object.fromEntries(pairs.filter((pair) => pair.trim() !== '').map(parseHeader)),
    serviceName: environment['OTEL_SERVICE_NAME']?.trim() || 'chat-gateway',
  }
}
