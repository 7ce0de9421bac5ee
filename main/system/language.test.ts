import { readFileSync, globSync } from 'node:fs'
import path from 'node:path'
import { strings, type StringTree } from 'virtual:desktop-strings'
import { afterEach, expect, test } from 'vitest'
import { commands } from '#desktop'
import { chooseLanguage, languages, say, sayCommand, setLanguage } from './language.ts'

afterEach(() => void setLanguage(['en']))

const keysOf = (tree: StringTree, prefix = ''): string[] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [prefix + key] : keysOf(value, `${prefix}${key}.`),
  )

test('the app takes the first language of the system it speaks, and English where it speaks none', () => {
  expect(chooseLanguage(['C', 'tlh', 'en-GB'])).toBe('en')
  expect(chooseLanguage(['zh-TW', 'nl'])).toBe('en')
  for (const language of languages) expect(chooseLanguage(['tlh', language])).toBe(language)
  expect(setLanguage(['tlh'])).toBe(false)
})

test('names are put into sentences, and a string that is not there is a fault', () => {
  expect(say('link.page', { host: 'example.org' })).toBe('Open example.org in your browser?')
  expect(say('tray.open')).toBe('Open Chat Gateway')
  for (const key of ['tray.nothing', 'tray', 'toString']) expect(() => say(key)).toThrow(key)
})

test('every string is asked for somewhere, and every one that is asked for is there', () => {
  const folder = path.resolve(import.meta.dirname, '..')
  const source = globSync('**/*.ts', { cwd: folder })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n')
  const keys = keysOf(strings['en']!.desktop)
  const asked = [...source.matchAll(/'([a-z]+\.[A-Za-z.]+)'/g)].map((match) => match[1]!)
  // Keys that end in the name of a state, a role or a cause are composed at runtime.
  const families = [...source.matchAll(/say\(`([a-z.]+)\.\$\{/g)].map((match) => match[1]!)
  const isAsked = (key: string) =>
    asked.includes(key) || families.some((family) => key.startsWith(`${family}.`))
  expect(families).toEqual(expect.arrayContaining(['role', 'tray', 'key', 'key.cause']))
  expect(keys.filter((key) => !isAsked(key))).toEqual([])
  for (const [, key] of source.matchAll(/say\('([^']+)'/g)) expect(keys).toContain(key)
})

test('a command is called as in the interface', () => {
  for (const { id, label } of commands) expect(sayCommand(id, '')).toBe(label)
})
