// npm run bench [-- P1 P14 …] [--json]: runs the benchmarks one after the other, each in a separate
// process.
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { BenchResult } from './bench-result.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const folder = import.meta.dirname
const words = process.argv.slice(2)
const asJson = words.includes('--json')
const wanted = words.filter((word) => !word.startsWith('--'))

/**
 * Returns the files that export `run`; the goals they measure appear in their text as `'P1'`,
 * `'P2'` …
 */
function findBenchmarks(): { file: string; goals: string[] }[] {
  return [...readdirSync(folder), 'retrieval/run.ts']
    .filter(
      (name) =>
        name.endsWith('.ts') &&
        !name.endsWith('.test.ts') &&
        name !== path.basename(import.meta.filename),
    )
    .map((name) => ({
      file: path.join(folder, name),
      text: readFileSync(path.join(folder, name), 'utf8'),
    }))
    .filter(({ text }) => /export (const|async function|function) run\b/.test(text))
    .map(({ file, text }) => ({
      file,
      goals: [...new Set([...text.matchAll(/'(P\d+)'/g)].map((match) => match[1]!))],
    }))
}

/** Time after which a benchmark that does not end has failed. */
const MOST_MINUTES = Number(process.env['BENCH_MINUTES'] ?? 30)

/** Ends a benchmark with its gateways and browsers, which would keep running without it. */
function endGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, 'SIGKILL')
  } catch {
    // All of it has ended.
  }
}

/** Runs one benchmark in a fresh process, so that none inherits another's heap or compiled code. */
function measure(file: string): Promise<BenchResult[]> {
  const script = `const { run } = await import(${JSON.stringify(file)}); const found = await run(); process.send([found].flat()); process.disconnect()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 2, 'inherit', 'ipc'],
    detached: true,
  })
  const end = (): void => endGroup(child)
  const stop = (): void => {
    end()
    process.exit(1)
  }
  for (const signal of SIGNALS) process.once(signal, stop)
  const limit = setTimeout(end, MOST_MINUTES * 60_000)
  return new Promise((resolve, reject) => {
    let results: BenchResult[] | undefined
    child.once('message', (message) => (results = message as BenchResult[]))
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      clearTimeout(limit)
      for (const each of SIGNALS) process.off(each, stop)
      end()
      if (results) resolve(results)
      else reject(new Error(`${path.basename(file)} ended with ${code ?? signal} and no result`))
    })
  })
}

const show = (value: number) =>
  Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(Math.abs(value) >= 10 ? 1 : 2)

function print(result: BenchResult): void {
  for (const row of result.rows) {
    const goal = `hold ${row.hold ?? '–'}, moonshot ${row.moonshot ?? '–'}`
    console.log(
      `${result.goal.padEnd(4)} ${row.name.padEnd(58)} ${`${show(row.value)} ${row.unit}`.padStart(14)}  ${String(row.reached).padEnd(8)} (${goal})`,
    )
  }
  for (const note of [result.notes ?? []].flat()) console.log(`     ${note}`)
}

const results: BenchResult[] = []
let broken = 0
for (const { file, goals } of findBenchmarks()) {
  if (wanted.length > 0 && !goals.some((goal) => wanted.includes(goal))) continue
  if (!asJson) console.log(`── ${path.basename(file)} (${goals.join(', ')})`)
  try {
    const found = await measure(file)
    results.push(...found)
    if (!asJson) found.forEach(print)
  } catch (error) {
    broken += 1
    console.error(String(error))
  }
}
if (asJson) console.log(JSON.stringify(results, null, 2))
process.exit(broken === 0 ? 0 : 1)
