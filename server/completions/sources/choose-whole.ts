import { flatMapInOrder } from '../../lib/in-order.ts'
import type { ResolvedModel } from '../../extensions/resolved-model.ts'
import type { Library } from './library.ts'
import type { Reading, WholeText } from './readings.ts'

/** Of a model that does not say how much it reads. */
const USUAL_CONTEXT = 32_768
/** The rest is for the conversation and the answer. */
const SHARE = 0.6
/**
 * No tokenizer makes longer tokens of prose; a text above this need not be counted to be too long.
 */
const UNITS_PER_TOKEN = 10

/** Tokens of sources a model can take. */
export function budgetOf({ model, preset }: Pick<ResolvedModel, 'model' | 'preset'>): number {
  const preset_ = preset?.params['num_ctx']
  const context =
    typeof preset_ === 'number' && preset_ > 0 ? preset_ : (model.contextLength ?? USUAL_CONTEXT)
  return Math.floor(context * SHARE)
}

/** Tokens that are to be filled. */
interface Room {
  readonly room: number
  /** The longest reading that is taken. */
  readonly most?: number
}

/** Takes readings as a whole as long as there is room; `left` is the room that remains. */
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
    // A collection that is only known by its name in the index can be searched, not read.
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
 * A token is rarely longer in any language, so that a text cut by it seldom has to be cut again.
 */
const UNITS_TO_TRY = 4
const FEWEST_TOKENS = 20

/** The beginnings of texts, each with its part of the room that is left. */
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
