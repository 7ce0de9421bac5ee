import type { CallOrigin } from '../../lib/call-origin.ts'
import type { Caller } from '../../lib/http.ts'
import { ALLOWED_ENDPOINTS } from '../host-api/endpoint-ids.ts'

/**
 * Endpoints that plugin code may call over HTTP with the credential of its call: those available
 * through the compatibility package, and those that require HTTP, such as streams and uploads.
 */
const CALLABLE: ReadonlySet<string> = new Set([
  ...ALLOWED_ENDPOINTS,
  ...'completions.chatCompletions messages.create messages.countTokens responses.create'.split(' '),
  ...'textCompletions.create embeddings.create embeddings.rerank generation.moa'.split(' '),
  ...'models.list models.profileImage files.upload files.content files.namedContent files.html files.status files.search'.split(
    ' ',
  ),
  ...'tools.list functions.list'.split(' '),
])

/** Issues the credential of a call; see `CallTokens.issue`. */
export type IssueCallToken = (
  caller: Caller,
  endpointIds: ReadonlySet<string>,
) => { readonly token: string; end(): void } | null

/**
 * The request's data for a plugin, and the credential for calling the gateway back
 * (docs/plugin-contract.md).
 */
export interface CallBack {
  readonly headers: Readonly<Record<string, string>>
  /** Ends the call and its credential. */
  end(): void
}

/** Client headers passed to plugins: those about language, software and origin. */
const SHOWN = ['accept-language', 'user-agent', 'origin'] as const

/**
 * @NOTE The credential belongs to this call and is never the caller's: a plugin that keeps it gains
 *   nothing.
 */
export function openCallBack(
  issue: IssueCallToken,
  caller: Caller,
  origin: CallOrigin | null,
): CallBack {
  const sent = origin?.headers ?? {}
  const shown = SHOWN.flatMap((name) => {
    const value = sent[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  const issued = issue(caller, CALLABLE)
  return {
    headers: {
      ...Object.fromEntries(shown),
      ...(issued && { authorization: `Bearer ${issued.token}` }),
    },
    end: () => issued?.end(),
  }
}
