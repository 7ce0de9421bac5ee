import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { CallNotes } from '../lib/call-notes.ts'
import type { CallOrigin } from '../lib/call-origin.ts'
import type { Caller } from '../lib/http.ts'
import type { ResolvedModel } from '../extensions/resolved-model.ts'
import { createExchange, type Exchange } from './exchange.ts'
import type { CompletionsParts } from './completions-parts.ts'
import { prepareRequest } from './prepare.ts'

/** A request on its way to a model, with what became of it. */
export interface Prepared {
  /** The very object that was sent when nothing had to change. */
  readonly request: ChatCompletionRequest
  readonly exchange: Exchange
}

interface StatelessRequest {
  readonly sent: ChatCompletionRequest
  readonly caller: Caller
  readonly resolved: ResolvedModel
  readonly signal: AbortSignal
  readonly headers?: CallOrigin['headers']
  readonly notes?: CallNotes | null
}

/** Prepares a request no chat belongs to; a promise only when something had to be waited for. */
export function prepareStateless(
  parts: CompletionsParts,
  about: StatelessRequest,
): Prepared | Promise<Prepared> {
  const exchange = createExchange(parts, { ...about, turn: null })
  const request = prepareRequest(parts, exchange)
  return request instanceof Promise
    ? request.then((ready) => ({ request: ready, exchange }))
    : { request, exchange }
}

/**
 * Whether the answer comes as the provider wrote it, with nothing added or looked at on the way.
 */
export const isPlain = ({ filters, belt, code, findings, resolved }: Exchange): boolean =>
  filters.length === 0 &&
  belt === null &&
  code === null &&
  findings.sources.length === 0 &&
  resolved.selectedModelId === undefined
