import { ServiceError } from './errors.ts'
import { JsonMeter } from './json-bounds.ts'

/** Limits of JSON that is parsed in one go. */
export interface ValueBounds {
  readonly values: number
  readonly levels: number
}

/** Returns the number of values of JSON text without parsing it; null beyond a limit. */
export function countJsonValues(text: Buffer, { values, levels }: ValueBounds): number | null {
  const meter = new JsonMeter({ values, depth: levels, valuesSetting: '' })
  try {
    meter.take(text)
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
  return meter.values
}
