import { expect, it } from 'vitest'
import { settingDefinitions } from './definitions.ts'

it('every setting has a name of its own', () => {
  const names = settingDefinitions.map(({ name }) => name)
  expect(names.filter((name, index) => name === '' || names.indexOf(name) !== index)).toEqual([])
})
