import { callHeaders } from './session-key.ts'
import { withBase } from '../lib/base-path.ts'

/** A call composed by the user, possibly one that the contract does not contain. */
export interface TriedCall {
  readonly method: string
  readonly path: string
  readonly body: string | null
  /** API key; if null, the call uses the session of this window. */
  readonly key: string | null
}

/** Sends the call unchanged and returns any response, including errors. */
export const tryCall = (
  { method, path, body, key }: TriedCall,
  signal: AbortSignal,
): Promise<Response> =>
  fetch(withBase(path), {
    method,
    signal,
    body,
    credentials: key === null ? 'same-origin' : 'omit',
    headers: {
      ...(key === null && callHeaders()),
      ...(body !== null && { 'Content-Type': 'application/json' }),
      ...(key !== null && { Authorization: `Bearer ${key}` }),
    },
  })
