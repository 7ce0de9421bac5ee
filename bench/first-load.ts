import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { type BenchResult, judgeAtMost } from './bench-result.ts'

const built = path.resolve(import.meta.dirname, '../out/renderer')

/**
 * Returns the scripts the page loads before the first paint: those it names, and their static
 * imports.
 */
function firstScripts(): Set<string> {
  const page = readFileSync(path.join(built, 'index.html'), 'utf8')
  const pending = [...page.matchAll(/<(?:script|link)[^>]+(?:src|href)="\.?\/([^"]+\.js)"/g)].map(
    (match) => match[1]!,
  )
  const found = new Set<string>()
  for (let script = pending.pop(); script !== undefined; script = pending.pop()) {
    if (found.has(script)) continue
    found.add(script)
    const text = readFileSync(path.join(built, script), 'utf8')
    for (const match of text.matchAll(
      /(?:^|[;}])import(?:[\w$\s{},*]+from)?\s*"(\.\/[^"]+\.js)"/g,
    )) {
      pending.push(path.posix.join(path.posix.dirname(script), match[1]!))
    }
  }
  return found
}

/**
 * P22, first half: measures the kilobytes of script, compressed as a server would, before the UI
 * can be used.
 */
export function run(): Promise<BenchResult> {
  const scripts = [...firstScripts()]
  const kilobytes =
    scripts.reduce(
      (sum, script) => sum + gzipSync(readFileSync(path.join(built, script)), { level: 9 }).length,
      0,
    ) / 1000
  return Promise.resolve({
    goal: 'P22',
    rows: [
      {
        name: 'script of the first load, gzip',
        value: kilobytes,
        unit: 'kB',
        hold: '<= 300',
        reached: judgeAtMost(kilobytes, { hold: 300, moonshot: 0 }),
      },
    ],
    notes: [`${scripts.length} files; npm run pack prints the size of the packaged app`],
  })
}
