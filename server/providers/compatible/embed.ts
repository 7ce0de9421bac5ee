import { type EmbeddingList, embeddingListSchema } from '#contract/embeddings.ts'
import { upstreamFailed } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import { serializeBody, stripGatewayFields } from '../upstream/convert-body.ts'
import type { EmbedCall } from '../provider.ts'
import { largestEmbeddings } from '../upstream/largest-embeddings.ts'
import { parseAnswer, type Upstream } from '../upstream/upstream.ts'
import { callCancelled, toNetworkFault } from '../upstream/upstream-faults.ts'

/** Requests embeddings from a remote provider. */
export async function embed(
  upstream: Upstream,
  { model, body, signal, notes }: EmbedCall,
): Promise<EmbeddingList> {
  const request = await serializeBody({ ...stripGatewayFields(body), model })
  const reply = await upstream.open(
    { path: '/embeddings', body: request, isWhole: true, notes },
    signal,
  )
  const bytes = await reply.bytes(largestEmbeddings(body)).catch((error: unknown) => {
    throw signal.aborted ? callCancelled() : toNetworkFault(error, upstream.faults)
  })
  const answer = parseAnswer(bytes, upstream.faults)
  const list = embeddingListSchema.safeParse(
    isRecord(answer) ? { model, ...answer, object: 'list' } : answer,
  )
  if (!list.success)
    throw upstreamFailed(`The connection "${upstream.faults.name}" did not answer with embeddings.`)
  return list.data
}
