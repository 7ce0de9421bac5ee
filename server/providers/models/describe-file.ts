const GIGABYTE = 1e9

function toSize(bytes: unknown): string | null {
  if (typeof bytes !== 'number' || !(bytes >= 1e6)) return null
  return bytes < GIGABYTE
    ? `${Math.round(bytes / 1e6)} MB`
    : `${Math.round(bytes / (GIGABYTE / 10)) / 10} GB`
}

/**
 * Describes a model by what is known of its file, such as family, parameters and quantization, and
 * the size on disk; null if nothing is.
 */
export function describeFile(facts: readonly unknown[], bytes: unknown): string | null {
  const words = [...facts, toSize(bytes)].filter((fact) => typeof fact === 'string' && fact !== '')
  return words.length === 0 ? null : words.join(', ')
}
