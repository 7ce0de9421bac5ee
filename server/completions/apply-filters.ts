import type { ChatCompletionRequest } from '#contract/completions.ts'
import { badRequest, ServiceError } from '../lib/errors.ts'
import { isRecord } from '../lib/is-record.ts'
import type { Exchange } from './exchange.ts'
import type { ChooseFilters, RequestFilters } from './extensions.ts'

type Request = ChatCompletionRequest

/** Lets the inlets of the filters in force change the request, and keeps their stream hooks for the answer. */
export function applyFilters(choose: ChooseFilters, exchange: Exchange, request: Request): Request | Promise<Request> {
  const chosen = choose(exchange)
  if (chosen instanceof Promise) return chosen.then((filters) => (filters ? runInlets(filters, exchange, request) : request))
  return chosen ? runInlets(chosen, exchange, request) : request
}

function runInlets(chosen: RequestFilters, exchange: Exchange, request: Request): Request | Promise<Request> {
  const { inlets, stream, handlesFiles = false } = chosen
  if (chosen.close) exchange.closeFilters = () => chosen.close!()
  exchange.filters = [...exchange.filters, ...stream]
  exchange.handlesFiles = handlesFiles
  return inlets.length === 0 ? request : runInOrder(inlets, request)
}

/** @NOTE What a filter throws is its word to the person: 400 with its message (plugin contract §4.2). */
async function runInOrder(inlets: RequestFilters['inlets'], request: Request): Promise<Request> {
  // A filter may change what it is given, and the request as it was sent is still needed.
  let body = structuredClone(request)
  for (const inlet of inlets) {
    try {
      body = await inlet(body)
    } catch (error) {
      if (error instanceof ServiceError) throw error
      throw badRequest(error instanceof Error ? error.message : String(error), { code: 'filter_failed', cause: error })
    }
    if (!isRequest(body)) throw badRequest('A filter gave back no request.', { code: 'filter_failed' })
  }
  return body
}

const isRequest = (body: unknown): boolean => isRecord(body) && Array.isArray(body['messages']) && body['messages'].every(isRecord)
