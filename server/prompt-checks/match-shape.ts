import { isRecord } from '../lib/is-record.ts'

const DEEPEST = 50

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value

/**
 * Describes briefly where a value differs from an example; null if it matches: the same fields with
 * values of the same type, and lists whose entries match the example's first entry.
 */
export function findDifference(
  value: unknown,
  example: unknown,
  place = 'The answer',
  depth = 0,
): string | null {
  if (depth > DEEPEST) return `${place} is nested too deep.`
  if (kindOf(value) !== kindOf(example))
    return `${place} is ${kindOf(value)}, not ${kindOf(example)}.`
  if (Array.isArray(example) && Array.isArray(value)) {
    if (example.length === 0) return null
    for (const [index, entry] of value.entries()) {
      const found = findDifference(entry, example[0], `${place}[${index}]`, depth + 1)
      if (found !== null) return found
    }
    return null
  }
  if (!isRecord(example) || !isRecord(value)) return null
  for (const [name, part] of Object.entries(example)) {
    if (!Object.hasOwn(value, name)) return `${place} has no field "${name}".`
    const found = findDifference(value[name], part, `${place}.${name}`, depth + 1)
    if (found !== null) return found
  }
  const more = Object.keys(value).find((name) => !Object.hasOwn(example, name))
  return more === undefined ? null : `${place} has a field "${more}" that the example lacks.`
}

const FENCE = /^```[a-z]*\r?\n([\s\S]*?)\r?\n?```$/i

/** Parses the JSON of an answer, with or without the code fence that models add. */
export function readJson(answer: string): { readonly value: unknown } | null {
  const text = answer.trim()
  try {
    return { value: JSON.parse(FENCE.exec(text)?.[1] ?? text) as unknown }
  } catch {
    return null
  }
}
