import { callHeaders } from './session-key.ts'
import { withBase } from '../lib/base-path.ts'

/** A call that a person put together, which may be one the contract does not know. */
export interface TriedCall {
  readonly method: string
  readonly path: string
  readonly body: string | null
  /** Without one the call is made with the session of this window. */
  readonly key: string | null
}

/** Sends it as it stands and answers with whatever came back, refusals included. */
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
