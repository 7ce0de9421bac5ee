/** Values in groups of so many, the last one of what is left. */
export function inGroups<Value>(values: readonly Value[], size: number): Value[][] {
  const groups: Value[][] = []
  for (let from = 0; from < values.length; from += size)
    groups.push(values.slice(from, from + size))
  return groups
}
