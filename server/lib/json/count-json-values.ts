import { ServiceError } from '../errors.ts'
import { JsonMeter } from './json-bounds.ts'

/** Limits of JSON that is parsed in one go. */
export interface ValueBounds {
  readonly values: number
  readonly levels: number
}

/** The meter compares its count with the limit after each slice. */
const SLICE = 64 * 1024

/** Only the slice of a text is copied, because most of a text beyond the limit is never read. */
const toBytes = (text: Buffer | string, start: number, end: number): Buffer =>
  typeof text === 'string' ? Buffer.from(text.slice(start, end)) : text.subarray(start, end)

/**
 * Returns the number of values of JSON text without parsing it; null beyond a limit, of which no
 * more than a slice is read.
 */
export function countJsonValues(
  text: Buffer | string,
  { values, levels }: ValueBounds,
): number | null {
  const meter = new JsonMeter({ values, depth: levels, valuesSetting: '' })
  try {
    for (let place = 0; place < text.length; place += SLICE)
      meter.take(toBytes(text, place, place + SLICE))
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
  return meter.values
}
