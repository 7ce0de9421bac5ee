import type { ReportedFault } from '../../lib/errors.ts'
import { isRecord, type Fields } from '../../lib/is-record.ts'

/** Machine-readable codes of providers; any other value, such as a sentence, is not repeated. */
const WORD = /^[A-Za-z][\w.-]{0,79}$/
const PLACE = /^[A-Za-z][\w.[\]-]{0,199}$/

/**
 * Error codes for a conversation that is too long; this first one is the code on which agents
 * shorten their conversation.
 */
const TOO_LONG_CODE = 'context_length_exceeded'
const TOO_LONG_WORDS = new Set([
  TOO_LONG_CODE,
  'exceed_context_size_error',
  'context_window_exceeded',
  'model_context_window_exceeded',
])
const TOO_LONG_SENTENCE =
  /maximum context length|prompt (?:is )?too long|context (?:length|window|size) (?:is |has been )?exceeded|exceeds? the (?:(?:available|maximum|model'?s?) )?context/i

const word = (value: unknown, pattern = WORD): string | undefined =>
  typeof value === 'string' && pattern.test(value) ? value : undefined

const isPlainDetail = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'boolean' || word(value, PLACE) !== undefined

/** Returns the details that are words, numbers or lists of them; undefined if there are none. */
function readDetails(value: unknown): Fields | undefined {
  const details = Object.entries(isRecord(value) ? value : {}).filter(([, detail]) =>
    Array.isArray(detail) ? detail.every(isPlainDetail) : isPlainDetail(detail),
  )
  return details.length === 0 ? undefined : Object.fromEntries(details)
}

/** Returns the error object of a document, which some providers wrap and others do not. */
function errorOf(value: unknown): Fields {
  if (Array.isArray(value)) return errorOf(value[0])
  if (!isRecord(value)) return {}
  return isRecord(value['error']) ? value['error'] : value
}

/**
 * Returns the machine-readable details of a provider's error; none if there are none. `said` is its
 * message.
 */
export function readReported(value: unknown, said: string | null): { reported?: ReportedFault } {
  const { code: givenCode, type: givenType, param: givenParam, ...rest } = errorOf(value)
  const type = word(givenType)
  const isTooLong =
    TOO_LONG_WORDS.has(String(givenCode)) ||
    TOO_LONG_WORDS.has(String(givenType)) ||
    (said !== null && TOO_LONG_SENTENCE.test(said))
  const code = isTooLong ? TOO_LONG_CODE : word(givenCode)
  const param = word(givenParam, PLACE)
  const details = readDetails(rest['details'])
  const reported = {
    ...(code && { code }),
    ...(type && { type }),
    ...(param && { param }),
    ...(details && { details }),
  }
  return Object.keys(reported).length === 0 ? {} : { reported }
}

/** Returns true if an event is an error without a type, as senders of other formats write it. */
export const isUntypedError = ({ type, error }: Fields): boolean =>
  type === undefined && error !== undefined && error !== null

/** Like `readReported`, for the text of a document. */
export function parseReported(body: string, said: string | null): { reported?: ReportedFault } {
  try {
    return readReported(JSON.parse(body), said)
  } catch {
    return {}
  }
}
