// npm run setting-help: writes the gateway's descriptions of settings to the file where translators
// find them; with --check only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { settingDefinitions } from '../../server/settings/definitions.ts'
import { root } from './run-step.ts'

const file = path.join(root, 'renderer/locales/en/setting-help.json')
const rows = settingDefinitions.map(({ key, help }) => [key, help] as const)
const text = `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`

if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  console.error('renderer/locales/en/setting-help.json is out of date: run npm run setting-help.')
  process.exit(1)
}
