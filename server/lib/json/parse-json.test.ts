import fc from 'fast-check'
import { expect, it } from 'vitest'
import { GatheredBytes } from '../bytes/gathered-bytes.ts'
import { JsonMeter } from './json-bounds.ts'
import { parseJson, parseJsonInSteps } from './parse-json.ts'
import { runAtOnce } from '../turns.ts'

const BOUNDS = { values: 1_000_000, valuesSetting: 'JSON_BODY_MAX_VALUES', depth: 4 }
const membersOf = (count: number): string =>
  Array.from({ length: count }, (_, place) => `"${place}":[1,2]`).join()

it('an object with very many members is refused, wherever it stands and however it comes, and long lists are not', () => {
  const take = (text: string, size: number) => () => {
    const meter = new JsonMeter(BOUNDS)
    const bytes = Buffer.from(text)
    for (let from = 0; from < bytes.length; from += size)
      meter.take(bytes.subarray(from, from + size))
  }
  for (const size of [1, 7, 1_000_000])
    for (const [before, after] of [
      ['{', '}'],
      ['[[], {"a": {', '}}]'],
    ] as const) {
      expect(take(before + membersOf(20_000) + after, size)).not.toThrow()
      expect(take(before + membersOf(20_001) + after, size)).toThrow(/more than 20000 members/)
    }
  expect(take(`[${'1,'.repeat(50_000)}1]`, 1000)).not.toThrow()
  expect(take(`]]}}${'1,'.repeat(50_000)}`, 1000)).not.toThrow()
})

const TINY = { structure: 12, text: 8 }
const parseInSteps = (bytes: Buffer): unknown => runAtOnce(parseJsonInSteps(bytes, TINY)).value

const outcome = (parse: () => unknown): unknown => {
  try {
    return { value: parse() }
  } catch {
    return 'refused'
  }
}

const anyText = fc.string({
  unit: fc.constantFrom('a', '"', '\\', 'é', '語', '💥', '\n', '\u0000', '\u{d800}'),
})
const anyValue = fc.jsonValue({ maxDepth: 6, noUnicodeString: false, stringUnit: 'grapheme' })
const spaced = (value: unknown, space: string): string => JSON.stringify(value, null, space)

it('slices give the value of JSON.parse, for any value, spaces and escapes', () => {
  fc.assert(
    fc.property(
      anyValue,
      anyText,
      fc.constantFrom('', ' ', '\t'),
      fc.boolean(),
      (value, text, space, isEscaped) => {
        const json = spaced({ text, value, ['__proto__']: [text], list: [text, value, []] }, space)
        const bytes = Buffer.from(
          isEscaped
            ? json.replace(/[^\x20-\x7e\s]/gu, (part) => JSON.stringify(part).slice(1, -1))
            : json,
        )
        expect(parseInSteps(bytes)).toEqual(JSON.parse(bytes.toString()))
      },
    ),
  )
})

it('slices accept and refuse the same texts as JSON.parse, broken UTF-8 included', () => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"abcdefghijklmnop"',
    '"a"',
    ' ',
    '1',
    'true',
    '-',
    '\\',
    '\\u12',
    'null',
    '\x01',
    '1e400',
  ]
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...pieces), fc.constant('[1,2,3,4,5,6,7,8]')), {
        maxLength: 24,
      }),
      (parts) => {
        const bytes = Buffer.from(parts.join(''))
        expect(outcome(() => parseInSteps(bytes))).toEqual(outcome(() => parseJson(bytes)))
      },
    ),
    { numRuns: 1000 },
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (noise) => {
      const bytes = Buffer.concat([
        Buffer.from('["'),
        Buffer.from(noise.filter((byte) => byte !== 0x22 && byte !== 0x5c)),
        Buffer.from('"]'),
      ])
      expect(outcome(() => parseInSteps(bytes))).toEqual(outcome(() => parseJson(bytes)))
    }),
  )
})

it('objects and lists longer than a slice are named as large, and nothing else', () => {
  const bytes = Buffer.from(JSON.stringify({ long: ['0123456789', '0123456789'], short: [1] }))
  const { value, large } = runAtOnce(parseJsonInSteps(bytes, TINY))
  const { long, short } = value as { long: object; short: object }
  expect([large.has(value as object), large.has(long), large.has(short)]).toEqual([
    true,
    true,
    false,
  ])
})

const toPieces = (bytes: Buffer, cuts: readonly number[]): Buffer[] => {
  const places = [
    0,
    ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b),
    bytes.length,
  ]
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end))
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  const parts = Object.values(value)
  return parts.length === 0 ? 2 : parts.reduce<number>((sum, part) => sum + countValues(part), 1)
}

it('the meter counts the values of a text however its bytes are cut, and an empty list or object twice', () => {
  fc.assert(
    fc.property(anyValue, anyText, fc.array(fc.nat(), { maxLength: 12 }), (value, text, cuts) => {
      const all = { text, value, long: text.repeat(40), list: [text, [value]] }
      const bytes = Buffer.from(JSON.stringify(all))
      const meter = new JsonMeter({
        values: 1_000_000,
        valuesSetting: 'JSON_BODY_MAX_VALUES',
        depth: 100,
      })
      for (const piece of toPieces(bytes, cuts)) meter.take(piece)
      expect(meter.values).toBe(countValues(all))
    }),
  )
})

it('the meter says what was too much and which setting changes it', () => {
  const take = (text: string) => () =>
    new JsonMeter({ values: 10, valuesSetting: 'JSON_BODY_MAX_VALUES', depth: 3 }).take(
      Buffer.from(text),
    )
  expect(take('[1,2,3,4,5,6,7,8,9]')).not.toThrow()
  expect(take('[1,2,3,4,5,6,7,8,9,10]')).toThrow(/more than 10 values.*JSON_BODY_MAX_VALUES/)
  expect(take('[[[]]]')).not.toThrow()
  expect(take('[[[[]]]]')).toThrow(/more than 3 levels deep.*JSON_BODY_MAX_DEPTH/)
})

it('bytes gathered in pieces of any size come out whole', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 9000 }), { maxLength: 12 }), (pieces) => {
      const gathered = new GatheredBytes()
      for (const piece of pieces) gathered.add(Buffer.from(piece))
      expect(runAtOnce(gathered.take()).equals(Buffer.concat(pieces))).toBe(true)
    }),
    { numRuns: 50 },
  )
})
