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

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD'])
const LOST_CONNECTION: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

const isLost = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  LOST_CONNECTION.has(error.cause.code)

async function openAgents(purpose: Purpose) {
  const [undici, connect] = await Promise.all([
    import('undici'),
    createConnector({ timeout: CONNECT_MILLISECONDS }),
  ])
  const options: Agent.Options = {
    connect: (...given) => becauseByDefault(purpose, () => connect(...given)),
    allowH2: false,
    headersTimeout: FIRST_BYTE_MILLISECONDS,
    // An event stream may be silent for any length of time.
    bodyTimeout: 0,
  }
  return {
    fetch: async (url: string | URL, init: RequestInit | undefined, dispatcher: Agent) => {
      const sent = { redirect: 'manual', ...init, dispatcher }
      const options = sent as unknown as Parameters<typeof undici.fetch>[1]
      return (await undici.fetch(url, options)) as unknown as Response
    },
    /** Connections that are kept open for the next call. */
    kept: new undici.Agent(options),
    /** Connections that are closed after one call. */
    single: new undici.Agent({ ...options, pipelining: 0 }),
  }
}

/**
 * For URLs set by administrators; those of other users are fetched with the guarded fetch.
 *
 * @NOTE A server may end a kept-alive connection while the next call is sent on it, and nobody can
 *   tell whether it read that call. One that only reads is made again; any other one must not be
 *   carried out twice, so it never uses such a connection.
 */
export function createOutgoingFetch(purpose: Purpose): OutgoingFetch {
  let opening: ReturnType<typeof openAgents> | null = null
  return {
    async fetch(url, init) {
      const { fetch, kept, single } = await (opening ??= openAgents(purpose))
      if (!READS.has((init?.method ?? 'GET').toUpperCase())) return fetch(url, init, single)
      try {
        return await fetch(url, init, kept)
      } catch (error) {
        if (!isLost(error)) throw error
        return fetch(url, init, single)
      }
    },
    async close() {
      const agents = await opening
      await Promise.all([agents?.kept.destroy(), agents?.single.destroy()])
    },
  }
}
