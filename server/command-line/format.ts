/**
 * Returns a table with columns as wide as their widest cell; the last column may have any length.
 */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  )
  const toLine = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!)))
      .join('  ')
      .trimEnd()
  return [head, ...rows].map(toLine).join('\n')
}

/** Returns a duration in its two largest units. */
export function toDuration(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
    ['s', 1],
  ] as const
  let left = Math.max(0, Math.round(seconds))
  const parts = units.flatMap(([name, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count > 0 ? [`${count} ${name}`] : []
  })
  return parts.slice(0, 2).join(' ') || '0 s'
}

export const toSize = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`

/** Formats Unix seconds in the locale of this computer. */
export const toTime = (seconds: number | null): string =>
  seconds === null ? 'never' : new Date(seconds * 1000).toLocaleString()
