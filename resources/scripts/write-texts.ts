// Part of npm run generated: writes the texts of the gateway's tables (names and descriptions of settings,
// names of the kinds of connections) to the files where translators find them; with --check only
// compares.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CONNECTION_KIND_NAMES, CONNECTION_KINDS } from '../../server/contract/connection-kinds.ts'
import { settingDefinitions } from '../../server/settings/definitions.ts'
import { root } from './run-step.ts'

const LOCALE = 'renderer/locales/en'
const read = (file: string): string => readFileSync(path.join(root, LOCALE, file), 'utf8')

const found = settingDefinitions.filter(({ searchWords }) => searchWords !== undefined)

/** Returns a file with one of its members replaced by texts of the kinds of connections. */
const withKinds = (file: string, member: string, text: 'label' | 'mention'): object => ({
  ...(JSON.parse(read(file)) as object),
  [member]: Object.fromEntries(
    CONNECTION_KIND_NAMES.map((kind) => [kind, CONNECTION_KINDS[kind][text]]),
  ),
})

/** Content of each file. */
const FILES: Readonly<Record<string, object>> = {
  'setting-help.json': Object.fromEntries(settingDefinitions.map(({ key, help }) => [key, help])),
  'setting-names.json': {
    names: Object.fromEntries(settingDefinitions.map(({ key, name }) => [key, name])),
    words: Object.fromEntries(found.map(({ key, searchWords }) => [key, searchWords])),
  },
  'connections.json': withKinds('connections.json', 'kinds', 'label'),
  'doctor.json': withKinds('doctor.json', 'types', 'mention'),
}

for (const [file, content] of Object.entries(FILES)) {
  const text = `${JSON.stringify(content, null, 2)}\n`
  if (!process.argv.includes('--check')) writeFileSync(path.join(root, LOCALE, file), text)
  else if (read(file) !== text) {
    console.error(`${LOCALE}/${file} is out of date: run npm run generated.`)
    process.exitCode = 1
  }
}
