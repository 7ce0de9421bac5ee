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
