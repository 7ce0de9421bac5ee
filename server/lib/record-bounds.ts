import { tooLarge } from './errors.ts'

/** How much one thing may hold that is read and written as one piece, such as a message. */
export interface RecordBounds {
  /** Objects, lists, texts and numbers. */
  readonly values: number
  /** UTF-16 units of all texts together. */
  readonly characters: number
}

/** Which bound a parsed value goes beyond; it looks no further than that. */
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

/** Whether a parsed value stays within the bounds. */
export const fitsRecord = (value: unknown, bounds: RecordBounds): boolean =>
  findExcess(value, bounds) === null

/**
 * 413 for something that is stored as one piece and holds too much; `subject` is what it is, as the
 * start of a sentence.
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
