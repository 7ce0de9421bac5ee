import { ServiceError } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { isRecord } from '../lib/is-record.ts'
import type { Logger } from '../lib/logger.ts'
import { parseJsonInSteps } from '../lib/json/parse-json.ts'
import { runInTurns } from '../lib/turns.ts'
import { serializeBody, type Backend, type OfferedModel } from '../providers/index.ts'

/** Returns the user in the form sent to pipelines. Nothing else about the user is sent. */
export const toPipelineUser = ({ userId, email, name, role }: Caller) => ({
  id: userId,
  email,
  name,
  role,
})

export interface FilterParts {
  readonly backendOf: (offered: OfferedModel) => Backend | null
  readonly log: Logger
}

export interface FilterCall<Body> {
  readonly stage: 'inlet' | 'outlet'
  readonly caller: Caller
  readonly body: Body
  readonly signal: AbortSignal
  /** Ends the wait for the filter, which is then skipped. */
  readonly limit?: AbortSignal
}

/** Parses in turns with other work, because a conversation may be long. Null if it is no JSON. */
async function parse(text: string): Promise<unknown> {
  try {
    return (await runInTurns(parseJsonInSteps(Buffer.from(text)))).value
  } catch {
    return null
  }
}

/** Converts an error of the filter; a status that would sign the user out here is replaced. */
function toRefusal(status: number, answer: unknown, name: string): ServiceError {
  const detail = isRecord(answer) ? answer['detail'] : null
  const said =
    typeof detail === 'string' && detail !== ''
      ? detail
      : `The filter ${name} refused this with status ${status}.`
  return new ServiceError(status === 401 || status === 407 ? 403 : status, said, {
    code: 'filter_failed',
  })
}

/**
 * Sends a body to a filter of a pipelines server; the response replaces it. A server that cannot be
 * reached is skipped with a log entry (docs/plugin-contract.md), an error response fails the
 * request.
 */
export async function callFilter<Body extends object>(
  parts: FilterParts,
  filter: OfferedModel,
  call: FilterCall<Body>,
): Promise<Body> {
  const { stage, caller, body, signal, limit } = call
  const backend = parts.backendOf(filter)
  if (!backend) return body
  const path = `/${encodeURIComponent(filter.model.id)}/filter/${stage}`
  const sent = await serializeBody({ user: toPipelineUser(caller), body })
  let reply
  try {
    reply = await backend.ask(
      { method: 'POST', path, body: sent, isWhole: true },
      limit ? AbortSignal.any([signal, limit]) : signal,
    )
  } catch (error) {
    signal.throwIfAborted()
    parts.log.warn(
      { error, filter: filter.publicId },
      'a filter of a pipelines server did not respond and was skipped',
    )
    return body
  }
  const answer = await parse(reply.text)
  if (reply.status >= 400) throw toRefusal(reply.status, answer, filter.model.name)
  return isRecord(answer) ? (answer as Body) : body
}
