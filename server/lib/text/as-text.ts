/** Returns a value if it is a text; otherwise an empty text. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns a value if it is a text that is not empty; otherwise null. */
export const textOrNull = (value: unknown): string | null => asText(value) || null
