import { upstreamFailed } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { RankCall, RankedTexts } from '../provider.ts'
import { serializeBody } from '../upstream/convert-body.ts'
import { parseAnswer, type Upstream } from '../upstream/upstream.ts'
import { callCancelled, toNetworkFault } from '../upstream/upstream-faults.ts'

const ANSWER_BYTES = 4 * 1024 * 1024

function parseScores(answer: unknown, count: number): number[] | null {
  const rows = isRecord(answer) && Array.isArray(answer['results']) ? answer['results'] : []
  const scores = Array.from({ length: count }, () => Number.NaN)
  for (const { index, relevance_score: score } of rows.filter(isRecord))
    if (typeof index === 'number' && typeof score === 'number' && index in scores)
      scores[index] = score
  return scores.some(Number.isNaN) ? null : scores
}

/** Returns the relevance of each text to the query, in the order of the texts. */
export async function rank(
  upstream: Upstream,
  { model, query, texts, signal }: RankCall,
): Promise<RankedTexts> {
  const body = await serializeBody({ model, query, documents: texts })
  const reply = await upstream.open({ path: '/v1/rerank', body, isWhole: true }, signal)
  const bytes = await reply.bytes(ANSWER_BYTES).catch((error: unknown) => {
    throw signal.aborted ? callCancelled() : toNetworkFault(error, upstream.faults)
  })
  const answer = parseAnswer(bytes, upstream.faults)
  const scores = parseScores(answer, texts.length)
  if (scores === null)
    throw upstreamFailed(
      `The connection "${upstream.faults.name}" did not answer with one score for each text.`,
    )
  const usage = isRecord(answer) && isRecord(answer['usage']) ? answer['usage'] : {}
  return { scores, tokens: Number(usage['total_tokens']) || 0 }
}
