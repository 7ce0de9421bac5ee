/**
 * Returns the entry of a table for an external key; undefined for missing keys, including those
 * every object inherits, such as `constructor`.
 */
export const ownValue = <Value>(
  table: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined => (Object.hasOwn(table, key) ? table[key] : undefined)
