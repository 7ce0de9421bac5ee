import { unavailable, upstreamFailed } from '../../lib/errors.ts'
import { isPrivateHost } from '../../lib/outgoing/host-address.ts'
import { isRecord } from '../../lib/is-record.ts'
import { createOutgoingTarget } from '../../lib/outgoing/outgoing.ts'
import type { RetrievalSettings } from '../retrieval-settings.ts'
import type { Passage } from '../passage.ts'
import type { Providers } from '../../providers/index.ts'
import { isOffline } from '../../settings/index.ts'
import { requireWayOut } from '../../lib/outgoing/way-out.ts'
import { parseOrNull } from '../../lib/json/parse-or-null.ts'

const ANSWER_BYTES = 4 * 1024 * 1024
const CONNECT_MILLISECONDS = 5000

/**
 * Converts scores to 0 to 1; endpoints that return logits are recognised by values outside of that
 * range.
 */
function toShares(scores: readonly number[]): number[] {
  const areShares = scores.every((score) => score >= 0 && score <= 1)
  return areShares ? [...scores] : scores.map((score) => 1 / (1 + Math.exp(-score)))
}

/** Parses `{results: [{index, relevance_score}]}`, or a bare list of `{index, score}`. */
function parseScores(answer: unknown, count: number): number[] | null {
  const rows = isRecord(answer) ? (answer['results'] ?? answer['data']) : answer
  if (!Array.isArray(rows)) return null
  const scores = Array.from({ length: count }, () => Number.NaN)
  for (const row of rows) {
    if (!isRecord(row)) return null
    const score = row['relevance_score'] ?? row['score']
    const index = row['index']
    if (typeof index === 'number' && typeof score === 'number' && index >= 0 && index < count)
      scores[index] = score
  }
  return scores.some(Number.isNaN) ? null : scores
}

/** Ranks passages for the query, with a model of the built-in runtime or an external endpoint. */
export class Reranker {
  readonly #settings: RetrievalSettings
  readonly #providers: Providers

  constructor(settings: RetrievalSettings, providers: Providers) {
    this.#settings = settings
    this.#providers = providers
  }

  isOn(): boolean {
    const engine = this.#settings.get('RAG_RERANKING_ENGINE')
    if (engine === 'llmhost') return this.#settings.get('RAG_RERANKING_MODEL') !== ''
    return engine === 'external' && this.#settings.get('RAG_EXTERNAL_RERANKER_URL') !== ''
  }

  /**
   * Returns all passages with their `rerank_score` as score, best first. Throws if the endpoint's
   * response is invalid.
   */
  async rank(query: string, passages: readonly Passage[], signal: AbortSignal): Promise<Passage[]> {
    const size = this.#settings.get('RAG_RERANKING_BATCH_SIZE')
    const scores: number[] = []
    for (let from = 0; from < passages.length; from += size) {
      const texts = passages
        .slice(from, from + size)
        .map(({ text, preface }) => (preface === '' ? text : `${preface}\n${text}`))
      scores.push(...(await this.#score(query, texts, signal)))
    }
    const shares = toShares(scores)
    return passages
      .map((passage, place) => ({
        ...passage,
        score: shares[place]!,
        rerank_score: shares[place]!,
      }))
      .sort((a, b) => b.score - a.score)
  }

  #score(query: string, texts: readonly string[], signal: AbortSignal): Promise<readonly number[]> {
    return this.#settings.get('RAG_RERANKING_ENGINE') === 'llmhost'
      ? this.#askModel(query, texts, signal)
      : this.#askEndpoint(query, texts, signal)
  }

  async #askModel(
    query: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly number[]> {
    const publicId = this.#settings.get('RAG_RERANKING_MODEL')
    const found = this.#providers.findCached(publicId) ?? (await this.#providers.find(publicId))
    if (!found?.provider.rank)
      throw unavailable(`No connection has the reranking model "${publicId}".`)
    const milliseconds = this.#settings.get('RAG_EXTERNAL_RERANKER_TIMEOUT') * 1000
    const { scores } = await found.provider.rank({
      model: found.model.id,
      query,
      texts,
      signal: AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]),
    })
    return scores
  }

  async #askEndpoint(
    query: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<number[]> {
    const url = new URL(this.#settings.get('RAG_EXTERNAL_RERANKER_URL'))
    if (isOffline(this.#settings) && !isPrivateHost(url.hostname)) {
      const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
      requireWayOut({ host: url.hostname, port }, { kind: 'reranker' })
      throw upstreamFailed('The reranker is not used while offline mode is on.')
    }
    const key = this.#settings.get('RAG_EXTERNAL_RERANKER_API_KEY')
    const model = this.#settings.get('RAG_RERANKING_MODEL')
    const milliseconds = this.#settings.get('RAG_EXTERNAL_RERANKER_TIMEOUT') * 1000
    const target = createOutgoingTarget(url.origin, {
      connectMilliseconds: CONNECT_MILLISECONDS,
      purpose: { kind: 'reranker' },
    })
    try {
      const reply = await target.open(
        {
          method: 'POST',
          path: `${url.pathname}${url.search}`,
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            ...(key !== '' && { authorization: `Bearer ${key}` }),
          },
          body: JSON.stringify({
            ...(model !== '' && { model }),
            query,
            documents: texts,
            top_n: texts.length,
          }),
          firstByteMilliseconds: milliseconds,
          idleMilliseconds: milliseconds,
        },
        AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]),
      )
      const bytes = await reply.bytes(ANSWER_BYTES)
      const scores =
        reply.status === 200 ? parseScores(parseOrNull(bytes.toString('utf8')), texts.length) : null
      if (!scores)
        throw upstreamFailed(
          `The reranker answered with status ${reply.status} and no score for each passage.`,
        )
      return scores
    } finally {
      await target.close()
    }
  }
}
