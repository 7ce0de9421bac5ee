/** Splits values into groups of the given size; the last group holds the rest. */
export function inGroups<Value>(values: readonly Value[], size: number): Value[][] {
  const groups: Value[][] = []
  for (let from = 0; from < values.length; from += size)
    groups.push(values.slice(from, from + size))
  return groups
}
