// npm run check: the quick gate before a commit — format, lint, types, borders, unused code and
// unit tests, in parallel.
import { capture } from './run-step.ts'

const CHECKS: [name: string, program: string, ...args: string[]][] = [
  ['types', 'tsc', '-b'],
  ['lint', 'oxlint', '--type-aware'],
  ['format', 'oxfmt', '--check', '.'],
  ['borders', 'node', 'resources/scripts/check-architecture.ts'],
  ['generated files', 'node', 'resources/scripts/write-generated.ts', '--check'],
  ['unused code', 'knip', '--no-progress'],
  ['unit', 'vitest', 'run'],
]

const results = await Promise.all(
  CHECKS.map(async ([name, program, ...args]) => ({ name, ...(await capture(program, args)) })),
)
for (const { name, code, output } of results) {
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}`)
  if (code !== 0) console.log(output)
}
process.exit(results.every(({ code }) => code === 0) ? 0 : 1)
