import type { ChatCompletionRequest } from '#contract/completions.ts'
import { copyInTurns } from '../../lib/json/copy-in-turns.ts'
import { badRequest, ServiceError } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { ResolvedModel } from '../../extensions/resolved-model.ts'
import type { Exchange } from '../exchange.ts'
import type { RequestFilters } from '../../extensions/filters.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { exchangePresets } from './apply-params.ts'

type Request = ChatCompletionRequest
type FilterParts = CompletionsParts

interface Passing {
  readonly exchange: Exchange
  readonly request: Request
}

/**
 * Lets the inlets of the active filters change the request, and keeps their stream hooks for the
 * answer. An inlet that changes `model` selects the answering model, with its access check and its
 * preset; throws 400 for a model that does not exist or is not accessible to the caller. The
 * filters of the answering model itself run last.
 */
export function applyFilters(
  parts: FilterParts,
  exchange: Exchange,
  request: Request,
): Request | Promise<Request> {
  const filtered = runChosen(parts, parts.filters?.(exchange) ?? null, { exchange, request })
  const addPipe = (ready: Request): Request | Promise<Request> =>
    runChosen(parts, parts.pipes?.(exchange) ?? null, { exchange, request: ready })
  return filtered instanceof Promise ? filtered.then(addPipe) : addPipe(filtered)
}

function runChosen(
  parts: FilterParts,
  chosen: RequestFilters | null | Promise<RequestFilters | null>,
  passing: Passing,
): Request | Promise<Request> {
  if (chosen instanceof Promise) return chosen.then((filters) => runChosen(parts, filters, passing))
  return chosen ? runInlets(parts, chosen, passing) : passing.request
}

function runInlets(
  parts: FilterParts,
  chosen: RequestFilters,
  { exchange, request }: Passing,
): Request | Promise<Request> {
  const { inlets, stream, handlesFiles = false } = chosen
  const { closeFilters } = exchange
  if (chosen.close) {
    exchange.closeFilters = () => {
      closeFilters()
      chosen.close!()
    }
  }
  exchange.filters = [...exchange.filters, ...stream]
  exchange.handlesFiles ||= handlesFiles
  if (inlets.length === 0) return request
  return runInOrder(inlets, request).then((body) =>
    body.model === request.model ? body : changeModel(parts, exchange, body),
  )
}

/**
 * @NOTE An error thrown by a filter is a message for the user: it becomes 400 with its message
 *   (docs/plugin-contract.md).
 */
export async function runInOrder(
  inlets: RequestFilters['inlets'],
  request: Request,
): Promise<Request> {
  // A filter may modify its input, and the original request is still needed.
  let body = await copyInTurns(request)
  for (const inlet of inlets) {
    try {
      body = await inlet(body)
    } catch (error) {
      if (error instanceof ServiceError) throw error
      throw badRequest(error instanceof Error ? error.message : String(error), {
        code: 'filter_failed',
        cause: error,
      })
    }
    if (!isRequest(body))
      throw badRequest('A filter returned no request.', { code: 'filter_failed' })
  }
  return body
}

const isRequest = (body: unknown): boolean =>
  isRecord(body) && Array.isArray(body['messages']) && body['messages'].every(isRecord)

/** The filters remain those of the requested model. */
async function changeModel(
  parts: FilterParts,
  exchange: Exchange,
  request: Request,
): Promise<Request> {
  const { caller, sent, findings, resolved: before } = exchange
  const after = await resolveChosen(parts, caller, request.model)
  exchange.resolved = after
  findings.chosenModelId = after.selectedModelId ?? after.publicId
  return exchangePresets(request, { sent, before: before.preset, after: after.preset })
}

async function resolveChosen(
  { models }: FilterParts,
  caller: Exchange['caller'],
  id: unknown,
): Promise<ResolvedModel> {
  if (typeof id !== 'string' || id === '')
    throw badRequest('A filter removed the model from the request.', { code: 'filter_failed' })
  try {
    return await models.resolve(caller, id)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 400) throw error
    const named = JSON.stringify(id.slice(0, 200))
    const message = `A filter chose the model ${named}, which is not there or not for you. Switch the filter off, or have it choose another.`
    throw badRequest(message, { code: error.code, cause: error })
  }
}
