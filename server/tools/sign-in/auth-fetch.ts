import { ServiceError, badRequest } from '../../lib/errors.ts'
import type { GuardedFetch } from '../../lib/guarded-fetch.ts'
import { isLoopbackHost, isPrivateHost } from '../../lib/host-address.ts'
import type { OutgoingFetch } from '../../lib/outgoing-fetch.ts'

/** `fetch` as the sign-in of a server needs it. */
export type AuthFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** An address a person's browser may be sent to: https, or plain http on the same computer (security row 103). */
export function checkBrowserAddress(address: URL): URL {
  const isSafe = address.protocol === 'https:' || (address.protocol === 'http:' && isLoopbackHost(address.hostname))
  if (!isSafe || address.username !== '' || address.password !== '') {
    throw badRequest('The tool server names a page for its sign-in that no browser should be sent to. Ask who runs the server.')
  }
  return address
}

const bodyOf = (body: RequestInit['body']): string | undefined =>
  body === undefined || body === null ? undefined : body instanceof URLSearchParams || typeof body === 'string' ? String(body) : undefined

/** Statuses of replies that have no body. */
const EMPTY = new Set([101, 103, 204, 205, 304])

/**
 * The reply as the library knows it.
 *
 * @NOTE The library tells a refusal from other failures by `instanceof Response`, and replies of the undici package are no
 * instances of the global class.
 */
async function toGlobal(reply: Response): Promise<Response> {
  const body = EMPTY.has(reply.status) ? null : await reply.arrayBuffer()
  return new Response(body, { status: reply.status, statusText: reply.statusText, headers: [...reply.headers] })
}

/**
 * Requests of a sign-in. An administrator chose the server and perhaps the one that signs in; every other address comes from
 * them, and has to be public unless they are in a private network themselves.
 */
export function createAuthFetch(chosen: readonly string[], outgoing: OutgoingFetch, guarded: GuardedFetch): AuthFetch {
  const places = chosen.map((address) => new URL(address))
  const isInside = places.some(({ hostname }) => isPrivateHost(hostname) || hostname === 'localhost')
  return async (url, init) => {
    const { origin } = new URL(url)
    if (isInside || places.some((place) => place.origin === origin)) return toGlobal(await outgoing.fetch(url, init))
    try {
      const method = init?.method === 'POST' ? 'POST' : 'GET'
      const headers = Object.fromEntries(new Headers(init?.headers))
      const reply = await guarded.fetch(
        String(url),
        { method, headers, body: bodyOf(init?.body) },
        init?.signal ?? AbortSignal.timeout(30_000),
      )
      const type = reply.headers['content-type'] ?? 'application/json'
      return new Response(new Uint8Array(reply.bytes), { status: reply.status, headers: { 'content-type': type } })
    } catch (error) {
      // Discovery tries several addresses and takes a failed one for a sign to go on.
      if (error instanceof ServiceError) throw new TypeError(error.message, { cause: error })
      throw error
    }
  }
}
