import { countJsonValues, type ValueBounds } from './count-json-values.ts'
import { ServiceError, tooLarge } from '../errors.ts'

/**
 * Limits for all JSON texts of a request together, because each is parsed in one go. State of the
 * process, as the code that reads such texts is far from the settings.
 */
let bounds: ValueBounds = { values: 100_000, levels: 200 }
const MAY_BE_RICH = /^\s*[[{]/

/** Sets the limits for requests and answers from now on. */
export function boundInnerJson(next: ValueBounds): void {
  bounds = next
}

const tooRich = (): ServiceError =>
  tooLarge(
    'The JSON that this request holds as text, such as the arguments of tool calls, is too large: ' +
      `together it may have ${bounds.values} values, and ${bounds.levels} levels. ` +
      'Send fewer calls or plainer arguments, or ask an administrator to raise JSON_TEXT_MAX_VALUES or JSON_TEXT_MAX_DEPTH.',
    { code: 'too_many_values' },
  )

/**
 * Parses JSON that a request holds as text, such as the arguments of tool calls. The limits of the
 * body see only a text there, so all such texts of a request have a limit of their own.
 */
export class InnerJson {
  #left = bounds.values

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
    const count = countJsonValues(text, { values: this.#left, levels: bounds.levels })
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
