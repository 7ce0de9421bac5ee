import { once } from 'node:events'
import { request as sendRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'

/** Source address of a test's proxy, on a machine where all addresses of 127.0.0.0/8 are local. */
export const PROXY_ADDRESS = '127.0.0.2'

export interface ThroughReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into replies of any shape
  readonly body: any
}

export interface ThroughRequest {
  readonly method?: string
  /** A name with several values is sent as several headers. */
  readonly headers?: Record<string, string | string[]>
  readonly body?: unknown
  /** Local source address of the call; the proxy if absent. */
  readonly from?: string
}

/** Calls a gateway from a different source address, as a proxy does. */
export async function sendThrough(
  url: string,
  { method, headers = {}, body, from = PROXY_ADDRESS }: ThroughRequest,
): Promise<ThroughReply> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const outgoing = sendRequest(url, {
    method: method ?? (text === undefined ? 'GET' : 'POST'),
    localAddress: from,
    headers: { ...(text !== undefined && { 'content-type': 'application/json' }), ...headers },
    agent: false,
  })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  outgoing.end(text)
  const [response] = await answered
  const reply = await readText(response)
  let parsed: unknown = reply
  try {
    parsed = JSON.parse(reply)
  } catch {
    // Not JSON: left unchanged.
  }
  return { status: response.statusCode!, headers: response.headers, body: parsed }
}
