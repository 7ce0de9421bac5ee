import type { LlamaContext, LlamaContextSequence, Token } from 'node-llama-cpp'

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

/** Listeners for what a sequence reads and writes. */
interface SequenceListeners {
  /**
   * Called with the length of a question, including what the sequence holds of it from the one
   * before.
   */
  readonly onQuestion?: (tokens: number) => void
  /** Called with each token and the probabilities at its place, which slows the model down. */
  readonly onProbabilities?: (token: Token, probabilities: ReadonlyMap<Token, number>) => void
}

type Evaluate = LlamaContextSequence['evaluate']

/** Returns a function that generates like that of the sequence, and reports probabilities. */
const reportProbabilities = (
  sequence: LlamaContextSequence,
  onProbabilities: NonNullable<SequenceListeners['onProbabilities']>,
): Evaluate =>
  async function* (tokens, options) {
    const iterator = sequence.evaluateWithMetadata(tokens, { probabilities: true }, options)
    let input: void | Token | Token[] = undefined
    try {
      for (;;) {
        const { value, done } = await iterator.next(input)
        if (done) return
        onProbabilities(value.token, value.probabilities)
        input = yield value.token
      }
    } finally {
      await iterator.return()
    }
  }

/**
 * Has a sequence read a question in pieces, so that it stops between two of them once the caller
 * has left; the library reads the whole question before it looks. Returns a function that ends
 * this.
 */
export function readInPieces(
  sequence: LlamaContextSequence,
  signal: AbortSignal,
  { onQuestion = () => undefined, onProbabilities }: SequenceListeners = {},
): () => void {
  const { context } = sequence
  const plain = sequence.evaluate.bind(sequence)
  const evaluate = onProbabilities ? reportProbabilities(sequence, onProbabilities) : plain
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
    sequence.evaluate = plain
  }
}
