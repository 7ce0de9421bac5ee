/** Role of a text: query or passage; some models distinguish them. */
export type EmbeddingKind = 'query' | 'passage'

/** Converts texts to vectors whose direction represents their meaning. */
export interface EmbeddingEngine {
  /** Changes whenever the meaning of vectors changes; vectors of two ids are never compared. */
  readonly id: string
  /** Null until the first response of a remote engine. */
  readonly dimensions: number | null
  /** Maximum text length in tokens; passages are split accordingly. */
  readonly maximumTokens: number
  /**
   * Returns vectors of unit length in the order of the texts. Throws a `ServiceError` (502, 503,
   * 504) if the engine does not respond.
   */
  embed(texts: readonly string[], kind: EmbeddingKind, signal: AbortSignal): Promise<Float32Array[]>
  /** Frees the engine's resources; absent if it has none. */
  close?(): Promise<void>
}
