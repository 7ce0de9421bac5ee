import { ServiceError } from '../../lib/errors.ts'
import type { OutgoingReply } from '../../lib/outgoing/outgoing.ts'
import { serializeBody } from '../upstream/convert-body.ts'
import type { CompletionCall } from '../provider.ts'
import type { Upstream } from '../upstream/upstream.ts'

/** Stream option that requests token counts. */
export const WITH_USAGE = { stream_options: { include_usage: true } }
/**
 * Fields of other dialects that not every provider knows, and without which the answer is the same.
 */
const SPARED_FIELDS = [
  'stream_options',
  'prompt_cache_key',
  'safety_identifier',
  'service_tier',
  'verbosity',
  'user',
  'top_k',
  'parallel_tool_calls',
] as const

interface Asked {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  /** Fields the caller insists on. */
  readonly kept: readonly string[]
  readonly isWhole?: boolean
}

/** Sends a request, and retries once without the optional fields the provider rejects. */
export async function openTaken(
  upstream: Upstream,
  call: CompletionCall,
  asked: Asked,
): Promise<OutgoingReply> {
  const { path, body, kept, isWhole = false } = asked
  const send = async (sent: Readonly<Record<string, unknown>>) =>
    upstream.open(
      { path, body: await serializeBody(sent), headers: call.headers, isWhole, notes: call.notes },
      call.signal,
    )
  try {
    return await send(body)
  } catch (error) {
    const refused = SPARED_FIELDS.filter(
      (name) => Object.hasOwn(body, name) && !kept.includes(name) && isAbout(error, name),
    )
    if (refused.length === 0) throw error
    for (const name of refused) call.notes?.ignored(name, 'refused_by_provider')
    return await send(
      Object.fromEntries(Object.entries(body).filter(([name]) => !refused.includes(name as never))),
    )
  }
}

const isAbout = (error: unknown, name: string): boolean =>
  error instanceof ServiceError &&
  error.status === 400 &&
  (error.reported?.param === name || new RegExp(`\\b${name}\\b`).test(error.message))
