import { expect, test } from 'vitest'
import { findJsonFault, layOut, parseSetting } from './setting-value.ts'

test('texts are read by the type of the setting', () => {
  expect(parseSetting('integer', '12')).toBe(12)
  expect(parseSetting('list', 'a; b;;')).toEqual(['a', 'b'])
  expect(layOut('{"a":1}')).toBe('{\n  "a": 1\n}')
  expect(layOut('no')).toBe('no')
  expect(findJsonFault('{')).not.toBe(null)
  expect(findJsonFault('[]')).toBe(null)
})
