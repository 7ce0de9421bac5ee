import { vi } from 'vitest'

export interface SeenCall {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
  readonly headers: Headers
}

/** Returns an error response in the gateway's own format. */
export const refusal = (
  status: number,
  detail: unknown,
  headers: Record<string, string> = {},
): Response =>
  new Response(JSON.stringify({ detail }), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  })

/**
 * Replaces the network: answers calls by `METHOD /path`, with a value or with the result of a
 * function, and records them. A call without an answer gets a 404.
 */
export function fakeGateway(answers: Record<string, unknown>): {
  readonly calls: SeenCall[]
  answers: Record<string, unknown>
} {
  const seen: SeenCall[] = []
  const state = { calls: seen, answers }
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    init.signal?.throwIfAborted()
    const url = new URL(input, 'http://gateway.test')
    const call: SeenCall = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      headers: new Headers(init.headers),
    }
    seen.push(call)
    const answer = state.answers[`${call.method} ${call.path}`]
    if (answer === undefined) return refusal(404, 'Not found')
    const result: unknown =
      typeof answer === 'function' ? await (answer as (call: SeenCall) => unknown)(call) : answer
    return result instanceof Response ? result.clone() : Response.json(result)
  })
  return state
}
