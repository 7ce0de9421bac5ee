import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseObjects } from './mend-json.ts'

describe('parseObjects', () => {
  it.each([
    ['one document', '{"a":[1,2]}', [{ a: [1, 2] }]],
    ['a list of objects', '[{"a":1},{"b":2}]', [{ a: 1 }, { b: 2 }]],
    ['noise', 'ping {"a":1}', []],
    ['nothing', ' \n', []],
    ['objects side by side', '{"a":"}{"} {"b":[1]},{"c":2}', [{ a: '}{' }, { b: [1] }, { c: 2 }]],
    [
      'commas behind the last field',
      '{"a":[1,2,],"b":{"c":",}",},}',
      [{ a: [1, 2], b: { c: ',}' } }],
    ],
    [
      'numbers that JSON does not have',
      '{"a":NaN,"b":[-Infinity,Infinity],"NaN":"NaN"}',
      [{ a: null, b: [null, null], NaN: 'NaN' }],
    ],
    ['escapes in texts', '{"a":"\\"}\\\\",}', [{ a: '"}\\' }]],
  ])('reads %s', (_, text, values) => {
    expect(parseObjects(text)).toEqual(values)
  })

  it.each([
    '[1]',
    '[{}',
    '{"a":',
    '{"a":"b',
    '{"a":1}]',
    '{"a":1} rest',
    '{a:1}',
    '{"a":NaNs}',
    '{"a":1}}',
    '{"a":"\\',
  ])('tells that %s cannot be read', (text) => {
    expect(parseObjects(text)).toBeNull()
  })

  it('reads what JSON reads, and tells an object that is cut off', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, place) => {
        const text = JSON.stringify(value)
        expect(parseObjects(text)).toEqual([JSON.parse(text)])
        expect(parseObjects(text.slice(0, 1 + (place % (text.length - 1))))).toBeNull()
      }),
      { numRuns: 500 },
    )
  })
})
