import { ServiceError } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { isRecord } from '../lib/is-record.ts'
import type { Logger } from '../lib/logger.ts'
import { parseJsonInSteps } from '../lib/parse-json.ts'
import { runInTurns } from '../lib/turns.ts'
import { serializeBody, type Backend, type OfferedModel } from '../providers/index.ts'

/** Who asks, as pipelines are told. Nothing else of the person goes along. */
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
  /** Ends the wait for the filter; it is passed over then. */
  readonly limit?: AbortSignal
}

/**
 * A conversation may be long: it is read in turns with the work of others. Null for what is no
 * JSON.
 */
async function parse(text: string): Promise<unknown> {
  try {
    return (await runInTurns(parseJsonInSteps(Buffer.from(text)))).value
  } catch {
    return null
  }
}

/**
 * What the filter says is wrong; a status that would sign the person out here is none of theirs.
 */
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
 * Has a filter of a pipelines server look at a body; what it answers takes its place. A server that
 * cannot be reached is passed over with a line in the log (docs/plugin-contract.md), an error it
 * answers fails the request.
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
      'a filter of a pipelines server could not be reached and was passed over',
    )
    return body
  }
  const answer = await parse(reply.text)
  if (reply.status >= 400) throw toRefusal(reply.status, answer, filter.model.name)
  return isRecord(answer) ? (answer as Body) : body
}
