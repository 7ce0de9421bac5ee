import { expect, test } from 'vitest'
import { unmaskHeaders } from './secret-headers.ts'

test('A mask for a header nothing is stored of is refused, also when every object has its name', () => {
  expect(unmaskHeaders({ 'x-key': '********' }, { 'x-key': 'secret' })).toEqual({
    'x-key': 'secret',
  })
  for (const name of ['x-other', 'constructor', 'toString'])
    expect(() => unmaskHeaders({ [name]: '********' }, { 'x-key': 'secret' })).toThrow(
      `There is no stored value for the header "${name}"`,
    )
})
