import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { settingDefinitions } from './definitions.ts'

const FILE = path.resolve(import.meta.dirname, '../../renderer/locales/en/setting-names.json')

it('every setting has a name that people call it by, and no name is left over', () => {
  const { names, words } = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, object>
  const keys = settingDefinitions.map(({ key }) => key)
  expect(Object.keys(names!).toSorted()).toEqual(keys.toSorted())
  expect(keys).toEqual(expect.arrayContaining(Object.keys(words!)))
  expect(new Set(Object.values(names!)).size).toBe(keys.length)
})

it('what settings do is where translators find it: npm run setting-help writes it', () => {
  const file = path.resolve(FILE, '../setting-help.json')
  const written = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  expect(written).toEqual(
    Object.fromEntries(settingDefinitions.map(({ key, help }) => [key, help])),
  )
})
