import { upstreamFailed } from '../../lib/errors.ts'
import type { Provider } from '../../providers/index.ts'
import { toUnitLength } from '../vectors/quantise.ts'
import type { EmbeddingEngine, EmbeddingKind } from './engine.ts'

/** Options of an engine behind a provider. */
export interface RemoteEngineOptions {
  readonly id: string
  /**
   * Finds the provider for each call, because connections change. Throws a `ServiceError` if there
   * is none.
   */
  readonly reach: () => Promise<{ provider: Provider; model: string }>
  readonly prefixes: Readonly<Record<EmbeddingKind, string>>
  readonly maximumTokens: number
  readonly batch: () => number
  readonly close?: () => Promise<void>
}

function toVector(embedding: readonly number[] | string): Float32Array {
  if (typeof embedding !== 'string') return toUnitLength(Float32Array.from(embedding))
  const bytes = Buffer.from(embedding, 'base64')
  return toUnitLength(
    new Float32Array(Uint8Array.from(bytes).buffer, 0, Math.floor(bytes.length / 4)),
  )
}

/** Creates an engine that embeds through a local runtime or a remote endpoint, batch by batch. */
export function createRemoteEngine({
  id,
  reach,
  prefixes,
  maximumTokens,
  batch,
  close,
}: RemoteEngineOptions): EmbeddingEngine {
  let dimensions: number | null = null

  async function embedBatch(input: string[], signal: AbortSignal): Promise<Float32Array[]> {
    const { provider, model } = await reach()
    if (!provider.embed)
      throw upstreamFailed(`The connection "${provider.name}" cannot embed texts.`)
    const list = await provider.embed({ model, body: { model, input }, signal })
    const vectors = list.data
      .toSorted((a, b) => a.index - b.index)
      .map(({ embedding }) => toVector(embedding))
    const length = vectors[0]?.length ?? 0
    const isWhole =
      vectors.length === input.length &&
      length > 0 &&
      vectors.every((vector) => vector.length === length)
    if (!isWhole)
      throw upstreamFailed(
        `The connection "${provider.name}" did not answer with one vector for each text.`,
      )
    if (dimensions !== null && dimensions !== length)
      throw upstreamFailed(
        `The model "${model}" answers with ${length} values now instead of ${dimensions}. Index the documents again.`,
      )
    dimensions = length
    return vectors
  }

  return {
    id,
    get dimensions() {
      return dimensions
    },
    maximumTokens,
    async embed(texts, kind, signal) {
      const vectors: Float32Array[] = []
      // Some endpoints refuse a whole batch that contains an empty text.
      const input = texts.map((text) => `${prefixes[kind]}${text.trim() === '' ? '-' : text}`)
      for (let from = 0; from < input.length; from += batch())
        vectors.push(...(await embedBatch(input.slice(from, from + batch()), signal)))
      return vectors
    },
    close,
  }
}
