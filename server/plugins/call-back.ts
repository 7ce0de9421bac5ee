import type { CallOrigin } from '../lib/call-origin.ts'
import type { Caller } from '../lib/http.ts'
import { ALLOWED_ENDPOINTS } from './host-api/endpoint-ids.ts'

/**
 * What plugin code may call over HTTP with the credential of its call: what it may call through the
 * compatibility package, and what only HTTP can carry, such as streams and uploads.
 */
const CALLABLE: ReadonlySet<string> = new Set([
  ...ALLOWED_ENDPOINTS,
  ...'completions.chatCompletions messages.create messages.countTokens responses.create'.split(' '),
  ...'textCompletions.create embeddings.create generation.moa'.split(' '),
  ...'models.list models.profileImage files.upload files.content files.namedContent files.html files.status files.search'.split(
    ' ',
  ),
  ...'tools.list functions.list'.split(' '),
])

/** Makes the credential of a call; see `CallTokens.issue`. */
export type IssueCallToken = (
  caller: Caller,
  endpointIds: ReadonlySet<string>,
) => { readonly token: string; end(): void } | null

/**
 * What a plugin is told of the request it takes part in, and with what it may call the gateway back
 * (docs/plugin-contract.md).
 */
export interface CallBack {
  readonly headers: Readonly<Record<string, string>>
  /** The call is over; the credential ends with it. */
  end(): void
}

/** Of the headers a client sent, those that say what it speaks and where it is. */
const SHOWN = ['accept-language', 'user-agent', 'origin'] as const

/**
 * @NOTE The credential is one of this call, never the one the caller sent: a plugin that keeps it
 *   has nothing.
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
