import { endpoints } from '#contract/endpoints.ts'
import type { AnyEndpoint, EndpointInput, EndpointOutput } from '#contract/endpoint.ts'
import { translate } from '../lib/i18n.ts'
import { ApiError, isAborted, toApiError } from './api-error.ts'
import { callHeaders, takeSessionKey } from './session-key.ts'
import { withBase } from '../lib/base-path.ts'
import { presentPath } from '../lib/viewed-snapshot.ts'

export { ApiError } from './api-error.ts'
export { endpoints }

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Calls the present state even from a page that shows a snapshot. */
  readonly inPresent?: boolean
}

type Scalar = string | number | boolean

export interface RawInput {
  params?: Record<string, Scalar>
  query?: Record<string, Scalar | undefined>
  body?: unknown
}

const unauthorizedListeners = new Set<() => void>()

/**
 * Registers a listener for every 401 except that of the session endpoint; the session store then
 * queries that endpoint.
 */
export function onUnauthorized(listener: () => void): () => void {
  unauthorizedListeners.add(listener)
  return () => unauthorizedListeners.delete(listener)
}

/** Returns the URL of a call with its path and query parameters filled in. */
export function toUrl(endpoint: AnyEndpoint, input: RawInput, place = withBase): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(input.params?.[name] ?? '')),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) query.set(name, String(value))
  }
  const text = query.toString()
  return place(text ? `${path}?${text}` : path)
}

/** Returns the error of a refused call and notifies the listeners if the session was lost. */
export async function toRefusal(endpoint: AnyEndpoint, response: Response): Promise<ApiError> {
  if (response.status === 401 && endpoint.id !== endpoints.auths.session.id)
    for (const listener of unauthorizedListeners) listener()
  return toApiError(response)
}

/**
 * Sends a call and returns the raw response, for streamed responses. Throws `ApiError` like `call`.
 */
export async function callRaw<E extends AnyEndpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  options: CallOptions = {},
): Promise<Response> {
  const raw = input as RawInput
  const hasBody = raw.body !== undefined
  let response: Response
  try {
    response = await fetch(toUrl(endpoint, raw, options.inPresent ? presentPath : withBase), {
      method: endpoint.method,
      headers: { ...callHeaders(), ...(hasBody && { 'Content-Type': 'application/json' }) },
      body: hasBody ? JSON.stringify(raw.body) : undefined,
      credentials: 'same-origin',
      signal: options.signal,
    })
  } catch (thrown) {
    if (isAborted(thrown)) throw thrown
    throw new ApiError({ status: 0, detail: translate('common.unreachable'), code: 'unreachable' })
  }
  if (!response.ok) throw await toRefusal(endpoint, response)
  takeSessionKey(response)
  return response
}

/**
 * Calls an endpoint of the contract and returns its parsed body. Throws `ApiError` when it fails.
 */
export async function call<E extends AnyEndpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  options: CallOptions = {},
): Promise<EndpointOutput<E>> {
  const response = await callRaw(endpoint, input, options)
  return (await response.json()) as EndpointOutput<E>
}
