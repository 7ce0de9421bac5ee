/** Returns a value if it is a text; otherwise an empty text. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')
