import type { ReportedFault } from '../lib/errors.ts'
import { isRecord } from '../lib/is-record.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Words of providers for machines; whatever else stands there, such as a sentence, is not repeated.
 */
const WORD = /^[A-Za-z][\w.-]{0,79}$/
const PLACE = /^[A-Za-z][\w.[\]-]{0,199}$/

/**
 * How providers say that a conversation is too long; the first one is the code agents shorten
 * theirs on.
 */
const TOO_LONG_CODE = 'context_length_exceeded'
const TOO_LONG_WORDS = new Set([
  TOO_LONG_CODE,
  'exceed_context_size_error',
  'context_window_exceeded',
  'model_context_window_exceeded',
])
const TOO_LONG_SENTENCE =
  /maximum context length|prompt is too long|context (?:length|window|size) (?:is |has been )?exceeded|exceeds? the (?:available|maximum|model'?s?) context/i

const word = (value: unknown, pattern = WORD): string | undefined =>
  typeof value === 'string' && pattern.test(value) ? value : undefined

/** The error object of a document, which some providers wrap and others do not. */
function errorOf(value: unknown): Fields {
  if (Array.isArray(value)) return errorOf(value[0])
  if (!isRecord(value)) return {}
  return isRecord(value['error']) ? value['error'] : value
}

/**
 * What a provider says about a fault for machines: nothing when it says nothing of the kind. `said`
 * is its sentence.
 */
export function readReported(value: unknown, said: string | null): { reported?: ReportedFault } {
  const { code: givenCode, type: givenType, param: givenParam } = errorOf(value)
  const type = word(givenType)
  const isTooLong =
    TOO_LONG_WORDS.has(String(givenCode)) ||
    TOO_LONG_WORDS.has(String(givenType)) ||
    (said !== null && TOO_LONG_SENTENCE.test(said))
  const code = isTooLong ? TOO_LONG_CODE : word(givenCode)
  const param = word(givenParam, PLACE)
  if (code === undefined && type === undefined && param === undefined) return {}
  return { reported: { ...(code && { code }), ...(type && { type }), ...(param && { param }) } }
}

/**
 * Whether an event is an error although its sender did not say so by a type, as those of other
 * formats do.
 */
export const isUntypedError = ({ type, error }: Fields): boolean =>
  type === undefined && error !== undefined && error !== null

/** The same for the text of a document. */
export function parseReported(body: string, said: string | null): { reported?: ReportedFault } {
  try {
    return readReported(JSON.parse(body), said)
  } catch {
    return {}
  }
}
