/** Whether a text is looked for or is what is found; some models want to be told. */
export type EmbeddingKind = 'query' | 'passage'

/** Turns texts into vectors whose direction stands for what they mean. */
export interface EmbeddingEngine {
  /** Changes whenever vectors change their meaning; vectors of two ids are never compared. */
  readonly id: string
  /** Null until the first answer of an engine that has to be asked. */
  readonly dimensions: number | null
  /** Longest text in tokens; passages are cut to fit. */
  readonly maximumTokens: number
  /**
   * Vectors of unit length in the order of the texts. Throws a `ServiceError` (502, 503, 504) when
   * the engine does not answer.
   */
  embed(texts: readonly string[], kind: EmbeddingKind, signal: AbortSignal): Promise<Float32Array[]>
  /** Frees what the engine holds; absent when it holds nothing. */
  close?(): Promise<void>
}
