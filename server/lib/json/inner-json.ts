import { countJsonValues } from './count-json-values.ts'
import { ServiceError, tooLarge } from '../errors.ts'

/** Maximum number of values of all JSON texts of a request, because each is parsed in one go. */
const MOST_VALUES = 100_000
const MOST_LEVELS = 200
const MAY_BE_RICH = /^\s*[[{]/

const tooRich = (): ServiceError =>
  tooLarge(
    'The JSON that this request holds as text, such as the arguments of tool calls, is too large: ' +
      `together it may have ${MOST_VALUES} values, and ${MOST_LEVELS} levels. These limits are fixed. ` +
      'Send fewer calls, or plainer arguments.',
    { code: 'too_many_values' },
  )

/**
 * Parses JSON that a request holds as text, such as the arguments of tool calls. The limits of the
 * body see only a text there, so all such texts of a request have a limit of their own.
 */
export class InnerJson {
  #left = MOST_VALUES

  /** Returns null if the text is not JSON; throws 413 beyond the limit. */
  read(text: string): { readonly value: unknown } | null {
    if (MAY_BE_RICH.test(text)) this.#count(text)
    try {
      return { value: JSON.parse(text) }
    } catch {
      return null
    }
  }

  #count(text: string): void {
    const count = countJsonValues(text, { values: this.#left, levels: MOST_LEVELS })
    if (count === null) throw tooRich()
    this.#left -= count
  }
}

/** Parses one such text of an answer; returns null also for a text beyond the limit. */
export function readInnerJson(text: string): { readonly value: unknown } | null {
  try {
    return new InnerJson().read(text)
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}
