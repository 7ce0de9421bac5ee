/**
 * Returns the functions an administrator offers: those whose names end like an entry of the list,
 * except those that end like one marked `!`.
 */
export function chooseFunctions<Function extends { readonly name: string }>(
  functions: readonly Function[],
  list: string,
): Function[] {
  const entries = list.split(',').flatMap((entry) => entry.trim() || [])
  const blocked = entries.flatMap((entry) =>
    entry.startsWith('!') && entry.length > 1 ? [entry.slice(1)] : [],
  )
  const wanted = entries.filter((entry) => !entry.startsWith('!'))
  const isChosen = ({ name }: Function): boolean =>
    !blocked.some((end) => name.endsWith(end)) &&
    (wanted.length === 0 || wanted.some((end) => name.endsWith(end)))
  return functions.filter(isChosen)
}
