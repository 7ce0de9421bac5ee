import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request as sendRequest } from 'node:https'
import { text as readText } from 'node:stream/consumers'
import { WebSocket } from 'ws'
import type { GuestPass, SharingStatus } from '#contract/sharing.ts'
import type { TestServer } from './start-server.ts'

interface SharedReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into replies of any shape
  readonly body: any
}

interface SharedRequest {
  readonly method?: string
  readonly body?: unknown
  readonly token?: string
  readonly headers?: Record<string, string>
}

/** The listener for devices of the network, as used by a device that trusts its authority. */
export interface OpenShared {
  readonly status: SharingStatus
  readonly url: string
  readonly host: string
  readonly call: (path: string, request?: SharedRequest) => Promise<SharedReply>
  socket(token: string, headers?: Record<string, string>): WebSocket
  newPass(
    pass?: Partial<{ name: string; models: string[]; hours: number; messages: number }>,
  ): Promise<GuestPass & { secret: string }>
  /** Signs in with the secret of a pass; resolves with the token of the guest. */
  enter(secret: string): Promise<string>
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Shares a gateway on loopback, which works on every machine. */
export async function openShared(server: TestServer, admin: string): Promise<OpenShared> {
  const on = await server.call('POST', '/api/v1/sharing/on', {
    token: admin,
    body: { addresses: ['127.0.0.1'] },
  })
  if (on.status !== 200) throw new Error(`Sharing was refused: ${await on.text()}`)
  const status = (await on.json()) as SharingStatus
  const url = status.addresses.find(({ address }) => address === '127.0.0.1')!.url!
  const { host } = new URL(url)
  const authority = await server.call('GET', '/api/v1/sharing/authority.crt')
  const encoded = Buffer.from(await authority.arrayBuffer()).toString('base64')
  const ca = `-----BEGIN CERTIFICATE-----\n${encoded}\n-----END CERTIFICATE-----\n`
  const authorized = (token: string | undefined): Record<string, string> =>
    token === undefined ? {} : { authorization: `Bearer ${token}` }

  const call: OpenShared['call'] = async (path, { method, body, token, headers } = {}) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const outgoing = sendRequest(url + path, {
      method: method ?? (text === undefined ? 'GET' : 'POST'),
      ca,
      // The certificate is checked against the name in the URL, whatever Host the request names.
      servername: '',
      agent: false,
      headers: {
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(text)),
        }),
        ...authorized(token),
        ...headers,
      },
    })
    outgoing.end(text)
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    return {
      status: response.statusCode!,
      headers: response.headers,
      body: parse(await readText(response)),
    }
  }
  return {
    status,
    url,
    host,
    call,
    socket: (token, headers) =>
      new WebSocket(`${url.replace('https', 'wss')}/ws`, {
        ca,
        headers: { ...authorized(token), ...headers },
      }),
    async newPass(pass = {}) {
      const body = { name: 'Visitor', models: ['guide'], hours: 1, messages: 5, ...pass }
      const made = await server.call('POST', '/api/v1/sharing/passes', { token: admin, body })
      return (await made.json()) as GuestPass & { secret: string }
    },
    enter: async (secret) =>
      ((await call('/api/v1/sharing/enter', { body: { secret } })).body as { token: string }).token,
  }
}
