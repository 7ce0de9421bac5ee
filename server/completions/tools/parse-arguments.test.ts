import { expect, test } from 'vitest'
import { parseArguments } from './parse-arguments.ts'

test.each([
  ['', {}],
  ['{"city": "Rome"}', { city: 'Rome' }],
  [
    "{'city': 'Rome', 'days': 3, 'warm': True, 'note': None}",
    { city: 'Rome', days: 3, warm: true, note: null },
  ],
  [
    "{'deep': {'list': [1, -2.5, 'x'], 'pair': (1, 2,)},}",
    { deep: { list: [1, -2.5, 'x'], pair: [1, 2] } },
  ],
  [`{'text': "it's", 'other': 'a\\n\\u00e9\\\\d'}`, { text: "it's", other: 'a\né\\d' }],
  ["{'joined': 'a' 'b'}", { joined: 'ab' }],
  [`{'mixed': true, "json": null}`, { mixed: true, json: null }],
])('%s is read as arguments', (text, value) => {
  expect(parseArguments(text)).toEqual(value)
})

test.each([
  '[1]',
  "['a']",
  'print(1)',
  "{'a': f(1)}",
  "{'a': 1",
  "{'a' 1}",
  '{1: 2}',
  "{'a': 1} {'b': 2}",
  '"text"',
  "{'a': \"}",
])('%s is refused', (text) => {
  expect(parseArguments(text)).toBe(null)
})

test('Deep and long nonsense is refused', () => {
  expect(parseArguments(`{'a': ${'['.repeat(100_000)}`)).toBe(null)
  expect(parseArguments(`{'a': '${'x'.repeat(300_000)}'}`)).toBe(null)
})
