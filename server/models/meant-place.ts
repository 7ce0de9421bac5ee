import type { IncomingMessage } from 'node:http'

/**
 * Connection at which a model is looked up: the runtime with this index, or runtimes before all
 * others.
 */
export type ModelPlace = number | 'runtimes'

interface PlacedCall {
  readonly params: { readonly url_idx?: number }
  readonly request: IncomingMessage
}

/**
 * In URLs of local runtimes a name means the model the runtimes know by it, even if a remote model
 * has the same name.
 */
const OF_RUNTIMES = /^\/+(?:llmhost|ollama)\//

/** Returns the place that the URL of a call names; undefined for all others. */
export const meantPlace = ({ params, request }: PlacedCall): ModelPlace | undefined =>
  params.url_idx ?? (OF_RUNTIMES.test(request.url ?? '') ? 'runtimes' : undefined)
