import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const PAGE = readFileSync(fileURLToPath(new URL('../COMPATIBILITY.md', import.meta.url)), 'utf8')

/** Fields that are treated alike, for each kind of connection. */
export interface TableRow {
  readonly names: readonly string[]
  readonly verdicts: readonly string[]
}

/** Returns the rows of the table under a third-level heading of `COMPATIBILITY.md`. */
export function readTable(title: string): TableRow[] {
  const section = PAGE.split(`\n### ${title}\n`)[1]?.split(/\n##/)[0] ?? ''
  const lines = section.split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) => {
    const [names = '', ...verdicts] = line.slice(1, -1).split(' | ')
    return {
      names: [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
      verdicts: verdicts.map((cell) => cell.trim()),
    }
  })
}
