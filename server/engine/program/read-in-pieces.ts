import type { LlamaContext, LlamaContextSequence } from 'node-llama-cpp'

/** Time that reading a piece shall take; a caller who leaves is noticed after it. */
const PIECE_MILLISECONDS = 40
/**
 * Sizes are multiples of this: the attention of llama.cpp on a processor works through 64 tokens at
 * once, and takes up to ten times as long for fewer.
 */
const STEP_TOKENS = 64

/** Tokens that each context reads within the time. */
const pieces = new WeakMap<LlamaContext, number>()

/** Chooses the size of the next piece by the time the last one took; it grows in steps. */
function adapt(context: LlamaContext, size: number, milliseconds: number): number {
  const fitting = Math.min((size * PIECE_MILLISECONDS) / milliseconds, 2 * size, context.batchSize)
  const next = Math.max(STEP_TOKENS, STEP_TOKENS * Math.floor(fitting / STEP_TOKENS))
  pieces.set(context, next)
  return next
}

/** Reports whether a piece of the size leaves tokens that are worth another one. */
const leavesMore = (tokens: number, size: number, batchSize: number): boolean =>
  tokens > batchSize ? tokens > size : tokens - size >= STEP_TOKENS

/**
 * Has a sequence read a question in pieces, so that it stops between two of them once the caller
 * has left; the library reads the whole question before it looks. `onQuestion` is called with the
 * length of a question, including what the sequence holds of it from the one before. Returns a
 * function that ends this.
 */
export function readInPieces(
  sequence: LlamaContextSequence,
  signal: AbortSignal,
  onQuestion: (tokens: number) => void = () => undefined,
): () => void {
  const { context } = sequence
  const evaluate = sequence.evaluate.bind(sequence)
  sequence.evaluate = async function* (tokens, options) {
    onQuestion(sequence.nextTokenIndex + tokens.length)
    let left = tokens
    let size = pieces.get(context) ?? STEP_TOKENS
    while (leavesMore(left.length, size, context.batchSize)) {
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
