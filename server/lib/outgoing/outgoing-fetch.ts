import type { Agent } from 'undici'
import { createConnector } from './connector.ts'
import { becauseByDefault, type Purpose } from './purpose.ts'

/**
 * `fetch` for libraries that require one: the gateway's own connections, no cookies, redirects left
 * to the caller.
 */
export interface OutgoingFetch {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>
  /** Closes its connections, including running requests. */
  close(): Promise<void>
}

const CONNECT_MILLISECONDS = 5_000
const FIRST_BYTE_MILLISECONDS = 60_000

/** Reads a body to its end; beyond the limit, closes the connection and throws. */
export async function readWhole(
  { body }: Response,
  limit: number,
  tooLarge: () => Error,
): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > limit) throw tooLarge()
    parts.push(part)
  }
  return Buffer.concat(parts, size)
}

/** Ends a reply whose body is not read, which would keep its connection. */
export async function leaveBody({ body }: Response): Promise<void> {
  await body?.cancel().catch(() => undefined)
}

/** For URLs set by administrators; those of other users are fetched with the guarded fetch. */
export function createOutgoingFetch(purpose: Purpose): OutgoingFetch {
  let agent: Agent | null = null
  return {
    async fetch(url, init) {
      const undici = await import('undici')
      const connect = await createConnector({ timeout: CONNECT_MILLISECONDS })
      agent ??= new undici.Agent({
        connect: (...given) => becauseByDefault(purpose, () => connect(...given)),
        allowH2: false,
        headersTimeout: FIRST_BYTE_MILLISECONDS,
        // An event stream may be silent for any length of time.
        bodyTimeout: 0,
      })
      const options = { redirect: 'manual', ...init, dispatcher: agent } as unknown as Parameters<
        typeof undici.fetch
      >[1]
      return (await undici.fetch(url, options)) as unknown as Response
    },
    close: async () => agent?.destroy(),
  }
}
