import { tooLarge } from '../errors.ts'

/** Limits for a record that is read and written in one piece, such as a message. */
export interface RecordBounds {
  /** Number of objects, lists, texts and numbers. */
  readonly values: number
  /** Total length of all texts in UTF-16 units. */
  readonly characters: number
}

/** Returns the limit that a parsed value exceeds; stops at the first one. */
function findExcess(
  value: unknown,
  { values, characters }: RecordBounds,
): keyof RecordBounds | null {
  let [count, length] = [1, 0]
  const waiting: unknown[] = [value]
  const take = (item: unknown): void => {
    count += 1
    if (typeof item === 'string') length += item.length
    else if (typeof item === 'object' && item !== null) waiting.push(item)
  }
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'string') length += next.length
    else if (Array.isArray(next)) {
      if (count + next.length > values) return 'values'
      for (const item of next) take(item)
    } else {
      for (const name in next as Record<string, unknown>) {
        take((next as Record<string, unknown>)[name])
        if (count > values) return 'values'
      }
    }
    if (count > values) return 'values'
    if (length > characters) return 'characters'
  }
  return null
}

/** Returns true if a parsed value is within the limits. */
export const fitsRecord = (value: unknown, bounds: RecordBounds): boolean =>
  findExcess(value, bounds) === null

/**
 * Throws 413 for a record stored in one piece that exceeds the limits; `subject` is the start of
 * the error message.
 */
export function requireFit(value: unknown, subject: string, bounds: RecordBounds): void {
  const excess = findExcess(value, bounds)
  if (excess === 'values') {
    throw tooLarge(
      `${subject} holds more than ${bounds.values} values (objects, lists, texts and numbers). ` +
        'Make it smaller, or ask an administrator to raise JSON_RECORD_MAX_VALUES.',
      { code: 'too_many_values' },
    )
  }
  if (excess === 'characters') {
    throw tooLarge(
      `${subject} holds more than ${bounds.characters} characters. ` +
        'Add pictures and long texts as files, or ask an administrator to raise JSON_RECORD_MAX_CHARACTERS.',
      { code: 'too_many_characters' },
    )
  }
}
