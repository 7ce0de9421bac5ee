import type { LlamaContext, LlamaEmbeddingContext } from 'node-llama-cpp'
import { EngineFault } from './fault.ts'
import type { LoadedModel } from './loaded-model.ts'

export interface Embedded {
  readonly vectors: readonly (readonly number[])[]
  readonly tokens: number
}

export interface EmbedOptions {
  readonly input: unknown
  readonly truncate?: unknown
  /** Length to which vectors are cut. */
  readonly dimensions?: unknown
}

const MOST_TEXTS = 2048
/** Tokens that the library adds for the beginning and the end of a text. */
const MARKS = 2

function readTexts(input: unknown): readonly string[] {
  const texts = typeof input === 'string' ? [input] : input
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string'))
    throw new EngineFault(400, 'The field "input" must be a text or a list of texts.')
  if (texts.length > MOST_TEXTS)
    throw new EngineFault(400, `At most ${MOST_TEXTS} texts can be embedded at once.`)
  return texts
}

function readDimensions(value: unknown, model: LoadedModel): number {
  const { embeddingVectorSize: most } = model.model
  if (value === undefined || value === null || value === 0) return most
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > most)
    throw new EngineFault(
      400,
      `The field "dimensions" must be a whole number up to ${most} for this model.`,
    )
  return value
}

/** Scales to length one, so that the product of two vectors is their similarity. */
function normalize(vector: readonly number[]): readonly number[] {
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}

/**
 * Returns the number of tokens of a text that fit into a context, which memory may have made
 * shorter than the model was trained for. The library wants one token less than the context has.
 *
 * @NOTE The library has no public property for the length of an embedding context.
 */
function roomFor(context: LlamaEmbeddingContext): number {
  const { contextSize } = (context as unknown as { _llamaContext: LlamaContext })._llamaContext
  return Math.min(contextSize - 1, context.model.trainContextSize) - MARKS
}

/**
 * Returns the vectors of texts. A text that is too long is truncated, or refused if `truncate` is
 * false.
 */
export async function embedTexts(
  model: LoadedModel,
  { input, truncate, dimensions }: EmbedOptions,
  signal: AbortSignal,
): Promise<Embedded> {
  const texts = readTexts(input)
  const length = readDimensions(dimensions, model)
  const context = await model.embedding()
  const room = roomFor(context)
  const vectors: (readonly number[])[] = []
  let tokens = 0
  for (const text of texts) {
    if (signal.aborted) break
    const all = model.model.tokenize(text)
    if (all.length > room && truncate === false)
      throw new EngineFault(400, `A text is longer than the ${room} tokens this model can read.`)
    const kept = all.slice(0, room)
    tokens += kept.length
    const { vector } = await context.getEmbeddingFor(kept)
    vectors.push(normalize(vector.slice(0, length)))
  }
  return { vectors, tokens }
}
