import { flatMapInOrder } from '../../lib/in-order.ts'
import type { ResolvedModel } from '../../extensions/resolved-model.ts'
import type { Library } from './library.ts'
import type { Reading, WholeText } from './readings.ts'

/** Assumed context length of a model that does not report one. */
const USUAL_CONTEXT = 32_768
/** Share of the context for sources; the rest is for the conversation and the answer. */
const SHARE = 0.6
/**
 * No tokenizer produces longer tokens of prose; a longer text is certainly too long and need not be
 * counted.
 */
const UNITS_PER_TOKEN = 10

/** Returns the number of tokens of sources a model can take. */
export function budgetOf({ model, preset }: Pick<ResolvedModel, 'model' | 'preset'>): number {
  const preset_ = preset?.params['num_ctx']
  const context =
    typeof preset_ === 'number' && preset_ > 0 ? preset_ : (model.contextLength ?? USUAL_CONTEXT)
  return Math.floor(context * SHARE)
}

/** Token budget. */
interface Room {
  readonly room: number
  /** Maximum number of tokens of one reading. */
  readonly most?: number
}

/** Selects readings that fit into the budget as a whole; `left` is the remaining budget. */
export async function chooseWhole<Read extends Reading>(
  { retrieval }: Pick<Library, 'retrieval'>,
  readings: readonly Read[],
  { room, most = Infinity }: Room,
): Promise<{ whole: WholeText[]; tooLong: Read[]; left: number }> {
  const whole: WholeText[] = []
  const tooLong: Read[] = []
  let left = room
  for (const reading of readings) {
    const texts = (await reading.texts()).filter(({ length }) => length > 0)
    const units = texts.reduce((sum, { length }) => sum + length, 0)
    // A collection that is known only by its name in the index can be searched, but not read.
    const isUnknown = texts.length === 0 && reading.collections.length > 0
    const tokens =
      isUnknown || units > Math.min(left, most) * UNITS_PER_TOKEN
        ? Infinity
        : await countAll(retrieval, texts)
    if (tokens > Math.min(left, most)) tooLong.push(reading)
    else {
      whole.push(...texts)
      left -= tokens
    }
  }
  return { whole, tooLong, left }
}

async function countAll(
  retrieval: Library['retrieval'],
  texts: readonly WholeText[],
): Promise<number> {
  const counts = await Promise.all(
    texts.map(async (text) => retrieval.countTokens(await text.read())),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

/**
 * Tokens are rarely longer in any language, so a text cut to this length seldom has to be cut
 * again.
 */
const UNITS_TO_TRY = 4
const FEWEST_TOKENS = 20

/** Returns the beginnings of texts, each with its share of the remaining budget. */
export async function cutToFit(
  { retrieval }: Pick<Library, 'retrieval'>,
  readings: readonly Reading[],
  room: number,
): Promise<WholeText[]> {
  const texts = (await flatMapInOrder(readings, (reading) => reading.texts())).filter(
    ({ length }) => length > 0,
  )
  const cut: WholeText[] = []
  let left = room
  for (const [place, text] of texts.entries()) {
    const part = Math.floor(left / (texts.length - place))
    if (part < FEWEST_TOKENS) break
    let beginning = (await text.read()).slice(0, part * UNITS_TO_TRY).toWellFormed()
    let tokens = await retrieval.countTokens(beginning)
    for (; tokens > part; tokens = await retrieval.countTokens(beginning)) {
      beginning = beginning
        .slice(0, Math.floor((beginning.length * part * 0.95) / tokens))
        .toWellFormed()
    }
    left -= tokens
    cut.push({ ...text, length: beginning.length, read: async () => beginning })
  }
  return cut
}
