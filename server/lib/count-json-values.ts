import { ServiceError } from './errors.ts'
import { JsonMeter } from './json-bounds.ts'

/** Limits of JSON that is parsed in one go. */
export interface ValueBounds {
  readonly values: number
  readonly levels: number
}

/** The meter compares its count with the limit after each slice. */
const SLICE_BYTES = 64 * 1024

/**
 * Returns the number of values of JSON text without parsing it; null beyond a limit, of which no
 * more than a slice is read.
 */
export function countJsonValues(text: Buffer, { values, levels }: ValueBounds): number | null {
  const meter = new JsonMeter({ values, depth: levels, valuesSetting: '' })
  try {
    for (let place = 0; place < text.length; place += SLICE_BYTES)
      meter.take(text.subarray(place, place + SLICE_BYTES))
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
  return meter.values
}
