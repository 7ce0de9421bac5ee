import type { Session } from 'electron'
import type { LeavePurpose, MessageToGateway } from '../gateway/gateway-messages.ts'

/** A report of the requests to one host, for the gateway's list of outgoing connections. */
export type WindowTrafficReport = Omit<
  Extract<MessageToGateway, { type: 'window-traffic' }>,
  'type'
>

/** Time without a request after which the requests to a host count as over. */
const LINGER_MILLISECONDS = 5_000
/** Errors of requests that did not leave the app. */
const STAYED = /^net::ERR_(BLOCKED_|CACHE_MISS|FILE_|UNKNOWN_URL_SCHEME|DISALLOWED_)/

type Headers = Readonly<Record<string, string | readonly string[]>> | undefined

/** Returns the length a request or response declares; 0 if it declares none. */
function declaredLength(headers: Headers): number {
  const found = Object.entries(headers ?? {}).find(
    ([name]) => name.toLowerCase() === 'content-length',
  )?.[1]
  const length = Number(typeof found === 'string' ? found : found?.[0])
  return Number.isSafeInteger(length) && length > 0 ? length : 0
}

interface Outside {
  readonly host: string
  readonly port: number
  readonly purpose: LeavePurpose
}

/** Returns host and port of a URL. */
export function toPlace(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port, protocol } = new URL(url)
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (/^(https|wss):$/.test(protocol) ? 443 : 80),
  }
}

/** Requests to one host, from the first until none has been made for a while. */
interface Batch extends Outside {
  readonly id: number
  running: number
  sent: number
  received: number
  timer: NodeJS.Timeout | undefined
}

/**
 * Reports requests of windows that leave this computer. The browser reuses its connections, and
 * does not report them, so the requests to one host within a short time are reported as one.
 */
export class WindowTraffic {
  readonly #tell: (report: WindowTrafficReport) => void
  readonly #outside = new Map<number, Outside & { sent: number; batch: Batch | null }>()
  readonly #batches = new Map<string, Batch>()
  #last = 0

  constructor(tell: (report: WindowTrafficReport) => void) {
    this.#tell = tell
  }

  /** Notes that the request with this id may leave. */
  expect(
    request: { readonly id: number; readonly url: string; readonly sent: number },
    purpose: LeavePurpose,
  ): void {
    const { id, url, sent } = request
    this.#outside.set(id, { ...toPlace(url), purpose, sent, batch: null })
  }

  /** Reports what becomes of expected requests of a session. */
  follow({ webRequest }: Pick<Session, 'webRequest'>): void {
    webRequest.onResponseStarted(({ id, fromCache }) => {
      if (!fromCache) this.#begin(id)
    })
    webRequest.onCompleted(({ id, fromCache, responseHeaders }) => {
      if (!fromCache) this.#begin(id)
      this.#end(id, declaredLength(responseHeaders))
    })
    webRequest.onErrorOccurred(({ id, error }) => {
      if (!STAYED.test(error)) this.#begin(id)
      this.#end(id, 0)
    })
  }

  /** Reports a download that is visible only as a whole. */
  reportWhole(place: Outside): void {
    this.#last += 1
    this.#tell({ ...place, id: this.#last, sent: 0, received: 0, isOver: true })
  }

  #begin(id: number): void {
    const request = this.#outside.get(id)
    if (!request || request.batch) return
    const { host, port, purpose, sent } = request
    const key = `${purpose} ${host} ${port}`
    const batch = this.#batches.get(key) ?? this.#open(key, { host, port, purpose })
    clearTimeout(batch.timer)
    batch.running += 1
    batch.sent += sent
    request.batch = batch
    this.#report(batch, false)
  }

  #open(key: string, place: Outside): Batch {
    this.#last += 1
    const batch = { ...place, id: this.#last, running: 0, sent: 0, received: 0, timer: undefined }
    this.#batches.set(key, batch)
    return batch
  }

  #end(id: number, received: number): void {
    const batch = this.#outside.get(id)?.batch
    this.#outside.delete(id)
    if (!batch) return
    batch.running -= 1
    batch.received += received
    this.#report(batch, false)
    if (batch.running > 0) return
    batch.timer = setTimeout(() => {
      this.#batches.delete(`${batch.purpose} ${batch.host} ${batch.port}`)
      this.#report(batch, true)
    }, LINGER_MILLISECONDS).unref()
  }

  #report({ id, host, port, purpose, sent, received }: Batch, isOver: boolean): void {
    this.#tell({ id, host, port, purpose, sent, received, isOver })
  }
}
