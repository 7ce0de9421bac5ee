import type { IncomingMessage } from 'node:http'

/**
 * Which connection a model is looked for at: the one at a place of the runtimes, or runtimes before
 * all others.
 */
export type ModelPlace = number | 'runtimes'

interface PlacedCall {
  readonly params: { readonly url_idx?: number | undefined }
  readonly request: IncomingMessage
}

/**
 * Below the addresses of local runtimes a name means the model they know by it, also where a remote
 * model is called the same.
 */
const OF_RUNTIMES = /^\/+(?:llmhost|ollama)\//

/** The place the address of a call speaks of; nothing for all others. */
export const meantPlace = ({ params, request }: PlacedCall): ModelPlace | undefined =>
  params.url_idx ?? (OF_RUNTIMES.test(request.url ?? '') ? 'runtimes' : undefined)
