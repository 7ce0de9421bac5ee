/**
 * What a table says of a key that comes from outside; undefined for keys it does not have, also for
 * those every object inherits, such as `constructor`.
 */
export const ownValue = <Value>(
  table: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined => (Object.hasOwn(table, key) ? table[key] : undefined)
