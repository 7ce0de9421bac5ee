/** Length of every vector of the built-in engine. */
export const DIMENSIONS = 768

/** A batch for the thread. */
export interface EmbedRequest {
  readonly id: number
  readonly texts: readonly string[]
}

/** Response of the thread, one vector per text in the same order. */
export interface EmbedReply {
  readonly id: number
  readonly vectors: readonly Float32Array[]
}
