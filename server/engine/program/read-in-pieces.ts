import type { LlamaContext, LlamaContextSequence } from 'node-llama-cpp'

/** Time that reading a piece shall take; a caller who leaves is noticed after it. */
const PIECE_MILLISECONDS = 40
const FIRST_TOKENS = 32
const LEAST_TOKENS = 16

/** Tokens that each context reads within the time. */
const pieces = new WeakMap<LlamaContext, number>()

/** Chooses the size of the next piece by the time the last one took; it grows in steps. */
function adapt(context: LlamaContext, size: number, milliseconds: number): number {
  const fitting = Math.round((size * PIECE_MILLISECONDS) / milliseconds)
  const next = Math.max(LEAST_TOKENS, Math.min(fitting, 2 * size, context.batchSize))
  pieces.set(context, next)
  return next
}

/**
 * Has a sequence read a question in pieces, so that it stops between two of them once the caller
 * has left; the library reads the whole question before it looks. Returns a function that ends
 * this.
 */
export function readInPieces(sequence: LlamaContextSequence, signal: AbortSignal): () => void {
  const { context } = sequence
  const evaluate = sequence.evaluate.bind(sequence)
  sequence.evaluate = async function* (tokens, options) {
    let left = tokens
    let size = pieces.get(context) ?? Math.min(FIRST_TOKENS, context.batchSize)
    while (left.length > size) {
      signal.throwIfAborted()
      const began = performance.now()
      await sequence.evaluateWithoutGeneratingNewTokens(left.slice(0, size))
      left = left.slice(size)
      size = adapt(context, size, performance.now() - began)
    }
    signal.throwIfAborted()
    return yield* evaluate(left, options)
  }
  return () => {
    sequence.evaluate = evaluate
  }
}
