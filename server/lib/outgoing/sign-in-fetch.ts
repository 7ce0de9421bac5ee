import { ServiceError } from '../errors.ts'
import type { GuardedFetch } from './guarded-fetch.ts'
import { isPrivateHost } from './host-address.ts'
import { readWhole, type OutgoingFetch } from './outgoing-fetch.ts'

/** `fetch` in the form needed for sign-in at another server. */
export type SignInFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

export interface SignInFetchDependencies {
  readonly outgoing: OutgoingFetch
  readonly guarded: GuardedFetch
  /** Returns the time limit for a server's response. */
  readonly milliseconds?: () => number
}

const USUAL_MILLISECONDS = 30_000
/** Maximum size of a reply; descriptions, keys and tokens take several kilobytes. */
const LARGEST_REPLY = 1024 * 1024
/** Statuses of replies that have no body. */
const EMPTY = new Set([101, 103, 204, 205, 304])

const bodyOf = (body: RequestInit['body']): string | undefined =>
  body === undefined || body === null
    ? undefined
    : body instanceof URLSearchParams || typeof body === 'string'
      ? String(body)
      : undefined

const tooLarge = (): TypeError =>
  new TypeError('The answer of the server is larger than anything that belongs to a sign-in.')

/**
 * Converts a reply into the form libraries expect.
 *
 * @NOTE They recognise an error response by `instanceof Response`, and replies of the undici
 *   package are not instances of the global class.
 */
async function toGlobal(reply: Response): Promise<Response> {
  const bytes = await readWhole(reply, LARGEST_REPLY, tooLarge)
  const body = EMPTY.has(reply.status) ? null : new Uint8Array(bytes)
  return new Response(body, {
    status: reply.status,
    statusText: reply.statusText,
    headers: [...reply.headers],
  })
}

/**
 * Creates the `fetch` of a sign-in. The server, and possibly the identity provider, were chosen by
 * an administrator; every other URL comes from them, and has to be public unless they are in a
 * private network themselves.
 */
export function createSignInFetch(
  chosen: readonly string[],
  dependencies: SignInFetchDependencies,
): SignInFetch {
  const { outgoing, guarded, milliseconds = () => USUAL_MILLISECONDS } = dependencies
  const places = chosen.map((address) => new URL(address))
  const isInside = places.some(
    ({ hostname }) => isPrivateHost(hostname) || hostname === 'localhost',
  )
  return async (url, init) => {
    const { origin } = new URL(url)
    const limit = AbortSignal.timeout(milliseconds())
    const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit
    if (isInside || places.some((place) => place.origin === origin))
      return toGlobal(await outgoing.fetch(url, { ...init, signal }))
    try {
      const method = init?.method === 'POST' ? 'POST' : 'GET'
      const headers = Object.fromEntries(new Headers(init?.headers))
      const reply = await guarded.fetch(
        String(url),
        { method, headers, body: bodyOf(init?.body) },
        signal,
      )
      const type = reply.headers['content-type'] ?? 'application/json'
      const body = EMPTY.has(reply.status) ? null : new Uint8Array(reply.bytes)
      return new Response(body, { status: reply.status, headers: { 'content-type': type } })
    } catch (error) {
      // Discovery tries several URLs and continues with the next one after a failure.
      if (error instanceof ServiceError) throw new TypeError(error.message, { cause: error })
      throw error
    }
  }
}
