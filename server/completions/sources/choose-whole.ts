import type { ResolvedModel } from '../../models/index.ts'
import type { Library } from './library.ts'
import type { Reading, WholeText } from './readings.ts'

/** Of a model that does not say how much it reads. */
const USUAL_CONTEXT = 32_768
/** The rest is for the conversation and the answer. */
const SHARE = 0.6
/** No tokenizer makes longer tokens of prose; a text above this need not be counted to be too long. */
const UNITS_PER_TOKEN = 10

/** Tokens of sources a model can take. */
export function budgetOf({ model, preset }: Pick<ResolvedModel, 'model' | 'preset'>): number {
  const preset_ = preset?.params['num_ctx']
  const context = typeof preset_ === 'number' && preset_ > 0 ? preset_ : (model.contextLength ?? USUAL_CONTEXT)
  return Math.floor(context * SHARE)
}

/** Takes readings as a whole as long as there is room; `left` is the room that remains. */
export async function chooseWhole(
  { retrieval }: Pick<Library, 'retrieval'>,
  readings: readonly Reading[],
  budget: number,
): Promise<{ whole: WholeText[]; tooLong: Reading[]; left: number }> {
  const whole: WholeText[] = []
  const tooLong: Reading[] = []
  let left = budget
  for (const reading of readings) {
    const texts = reading.texts().filter(({ length }) => length > 0)
    const units = texts.reduce((sum, { length }) => sum + length, 0)
    // A collection that is only known by its name in the index can be searched, not read.
    const isUnknown = texts.length === 0 && reading.collections.length > 0
    const tokens = isUnknown || units > left * UNITS_PER_TOKEN ? Infinity : await countAll(retrieval, texts)
    if (tokens > left) tooLong.push(reading)
    else {
      whole.push(...texts)
      left -= tokens
    }
  }
  return { whole, tooLong, left }
}

async function countAll(retrieval: Library['retrieval'], texts: readonly WholeText[]): Promise<number> {
  const counts = await Promise.all(texts.map((text) => retrieval.countTokens(text.read())))
  return counts.reduce((sum, count) => sum + count, 0)
}
