import { isRecord, type Fields } from '../../lib/is-record.ts'
import { EngineFault } from './fault.ts'

interface RepeatPenalty {
  readonly penalty?: number
  readonly frequencyPenalty?: number
  readonly presencePenalty?: number
  readonly lastTokens?: number
}

/**
 * Options for generating an answer, under the names of the library. Undefined ones are left to the
 * library.
 */
export interface AnswerOptions {
  readonly temperature?: number
  readonly topK?: number
  readonly topP?: number
  readonly minP?: number
  readonly seed?: number
  readonly maxTokens?: number
  readonly repeatPenalty?: RepeatPenalty
  readonly customStopTriggers?: readonly string[]
}

/** Defaults that clients of this protocol expect. */
const USUAL = { temperature: 0.8, topK: 40, topP: 0.9 } as const
const MOST_STOPS = 16

function numberAt(options: Fields, name: string): number | undefined {
  const value = options[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new EngineFault(400, `The option "${name}" must be a number.`)
  return value
}

function readStops(value: unknown): readonly string[] {
  const stops = typeof value === 'string' ? [value] : (value ?? [])
  if (!Array.isArray(stops) || !stops.every((stop) => typeof stop === 'string'))
    throw new EngineFault(400, 'The option "stop" must be a text or a list of texts.')
  return stops.filter((stop) => stop !== '').slice(0, MOST_STOPS)
}

const given = <Key extends string>(key: Key, value: number | undefined) =>
  (value === undefined ? {} : { [key]: value }) as Partial<Record<Key, number>>

/** Returns the penalties for repeated tokens; `repeat_last_n` is how many of the last ones count. */
function readPenalties(options: Fields): RepeatPenalty {
  const last = numberAt(options, 'repeat_last_n')
  return {
    ...given('penalty', numberAt(options, 'repeat_penalty')),
    ...given('frequencyPenalty', numberAt(options, 'frequency_penalty')),
    ...given('presencePenalty', numberAt(options, 'presence_penalty')),
    ...(last !== undefined && last >= 0 && { lastTokens: Math.floor(last) }),
  }
}

/** Parses the options of a native call. */
export function readOptions(value: unknown): AnswerOptions {
  const options = isRecord(value) ? value : {}
  const most = numberAt(options, 'num_predict')
  const penalties = readPenalties(options)
  const stops = readStops(options['stop'])
  return {
    ...USUAL,
    ...given('temperature', numberAt(options, 'temperature')),
    ...given('topK', numberAt(options, 'top_k')),
    ...given('topP', numberAt(options, 'top_p')),
    ...given('minP', numberAt(options, 'min_p')),
    ...given('seed', numberAt(options, 'seed')),
    ...(most !== undefined && most > 0 && { maxTokens: Math.floor(most) }),
    ...(Object.keys(penalties).length > 0 && { repeatPenalty: penalties }),
    ...(stops.length > 0 && { customStopTriggers: stops }),
  }
}

/** Returns the context length a call requests, in tokens; null if it requests none. */
export function readContextLength(value: unknown): number | null {
  const length = isRecord(value) ? numberAt(value, 'num_ctx') : undefined
  return length === undefined || length < 1 ? null : Math.floor(length)
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
const USUAL_KEEP_ALIVE = 5 * 60_000

/**
 * Returns how long a model stays in memory after a call, in milliseconds; infinite for a negative
 * number.
 */
export function readKeepAlive(value: unknown): number {
  if (value === undefined || value === null || value === '') return USUAL_KEEP_ALIVE
  if (typeof value === 'number') return value < 0 ? Number.POSITIVE_INFINITY : value * 1000
  const text = typeof value === 'string' ? value.trim() : ''
  if (/^-?\d+$/.test(text)) return readKeepAlive(Number(text))
  const parts = [...text.matchAll(/(-?\d+(?:\.\d+)?)(ms|s|m|h)/g)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text)
    throw new EngineFault(
      400,
      'The value of "keep_alive" must be a number of seconds, or a time such as "5m".',
    )
  const milliseconds = parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!,
    0,
  )
  return milliseconds < 0 ? Number.POSITIVE_INFINITY : milliseconds
}
