// npm run configuration: writes the table of environment variables into the README; with --check only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describeConfiguration } from '../../server/settings/describe-configuration.ts'
import { capture, root } from './run-step.ts'

const START = '<!-- configuration:start -->'
const END = '<!-- configuration:end -->'
const file = path.join(root, 'README.md')

const before = readFileSync(file, 'utf8')
const [head, rest] = before.split(START) as [string, string]
const after = `${head}${START}\n\n${describeConfiguration().trim()}\n\n${END}${rest.split(END)[1]}`
writeFileSync(file, after)
await capture('oxfmt', [file])
if (process.argv.includes('--check') && readFileSync(file, 'utf8') !== before) {
  writeFileSync(file, before)
  console.error('The configuration table of the README is out of date: run npm run configuration.')
  process.exit(1)
}
