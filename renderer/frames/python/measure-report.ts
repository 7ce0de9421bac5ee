const DEEPEST = 6
/** Of what is no text and no bytes. */
const SMALL = 8

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype
}

/**
 * About how many bytes whoever receives it has to take in. Anything a report of a cell is never made
 * of is infinitely large.
 */
export function measureReport(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length
  // A view takes everything that lies under it along.
  if (value instanceof Uint8Array) return value.buffer.byteLength
  if (typeof value !== 'object' || value === null) return SMALL
  if (depth === DEEPEST || !isPlain(value)) return Number.POSITIVE_INFINITY
  let size = SMALL
  for (const [name, each] of Object.entries(value))
    size += name.length + measureReport(each, depth + 1)
  return size
}
