// Part of npm run generated: writes the table of environment variables into docs/configuration.md; with
// --check only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describeConfiguration } from '../../server/settings/describe-configuration.ts'
import { capture, root } from './run-step.ts'

const TABLE = '| Variable '
const file = path.join(root, 'docs/configuration.md')

const before = readFileSync(file, 'utf8')
writeFileSync(file, before.slice(0, before.indexOf(TABLE)) + describeConfiguration())
await capture('oxfmt', [file])
if (process.argv.includes('--check') && readFileSync(file, 'utf8') !== before) {
  writeFileSync(file, before)
  console.error('docs/configuration.md is out of date: run npm run generated.')
  process.exit(1)
}
