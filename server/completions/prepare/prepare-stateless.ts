import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { CallNotes } from '../../lib/serving/call-notes.ts'
import type { CallOrigin } from '../../lib/call-origin.ts'
import type { Caller } from '../../lib/http.ts'
import type { ResolvedModel } from '../../extensions/resolved-model.ts'
import { createExchange, type Exchange } from '../exchange.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { readDocuments } from '../sources/read-documents.ts'
import { prepareRequest } from './prepare.ts'

/** Prepared request with its exchange. */
export interface Prepared {
  /** The identical object that was sent if nothing had to change. */
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
  readonly keepsLinkedDocuments?: boolean
}

/**
 * Prepares a request that belongs to no chat; returns a promise only if a step had to wait. Who
 * answers it ends the lifetime of its exchange.
 */
export function prepareStateless(
  parts: CompletionsParts,
  about: StatelessRequest,
): Prepared | Promise<Prepared> {
  const exchange = createExchange(parts, { ...about, turn: null })
  const request = prepareRequest(parts, exchange)
  if (!(request instanceof Promise)) return { request, exchange }
  return request.then(
    (ready) => ({ request: ready, exchange }),
    (error: unknown) => {
      exchange.lifetime.end()
      throw error
    },
  )
}

/** Decides about documents at an address that were kept for a provider that turned out not to take them. */
export async function readLinkedDocuments(
  parts: CompletionsParts,
  { request, exchange }: Prepared,
): Promise<Prepared> {
  exchange.keepsLinkedDocuments = false
  return { request: await readDocuments(parts, exchange, request), exchange }
}

/**
 * Returns true if the answer is forwarded as the provider wrote it, without additions or
 * processing.
 */
export const isPlain = ({
  filters,
  belt,
  code,
  findings,
  resolved,
  eventTexts,
}: Exchange): boolean =>
  filters.length === 0 &&
  (eventTexts === null || eventTexts.isEmpty) &&
  belt === null &&
  code === null &&
  findings.sources.length === 0 &&
  resolved.selectedModelId === undefined
