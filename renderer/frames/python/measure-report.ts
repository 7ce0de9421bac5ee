const DEEPEST = 6
/** Size assumed for values other than texts and bytes. */
const SMALL = 8

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype
}

/**
 * Returns the approximate number of bytes a report takes at its receiver; infinite for values that
 * no report contains.
 */
export function measureReport(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length
  // A view is sent with its whole buffer.
  if (value instanceof Uint8Array) return value.buffer.byteLength
  if (typeof value !== 'object' || value === null) return SMALL
  if (depth === DEEPEST || !isPlain(value)) return Number.POSITIVE_INFINITY
  let size = SMALL
  for (const [name, each] of Object.entries(value))
    size += name.length + measureReport(each, depth + 1)
  return size
}
