import { expect, it } from 'vitest'
import { withoutLongTexts } from './long-texts.ts'

const LONG = 'A'.repeat(70_000)
const read = (json: string): unknown => {
  const short = withoutLongTexts(Buffer.from(json))
  return short && (JSON.parse(short.toString()) as unknown)
}

it('long texts are stood in for, and everything around them stays', () => {
  const value = { 'a"b': 'x\\', list: [LONG, 'ü', { deep: `${LONG}é` }], end: null }
  expect(read(JSON.stringify(value))).toEqual({
    'a"b': 'x\\',
    list: ['-', 'ü', { deep: '-' }],
    end: null,
  })
})

it('nothing is said where it would not help, or a text is no plain one', () => {
  const many = JSON.stringify([...Array.from({ length: 5000 }, () => 'a'), LONG])
  for (const json of ['{"a":"b"}', many, `{"a":"${LONG}\\n"}`, `{"a":"${LONG}`])
    expect(read(json)).toBeNull()
})

it('a control character is found wherever it stands in a long text', () => {
  for (let offset = 0; offset < 8; offset += 1) {
    for (const place of [0, 1, 2, 3, 4, 40_000, 69_996, 69_997, 69_998, 69_999]) {
      for (const sign of ['\u0000', '\n', '\u001F']) {
        const text = LONG.slice(0, place) + sign + LONG.slice(place + 1)
        expect(withoutLongTexts(Buffer.from(`${' '.repeat(offset)}"${text}"`))).toBeNull()
      }
    }
    const fine = ` ~ \u00FF\u{1F600}${LONG}`
    expect(withoutLongTexts(Buffer.from(`${' '.repeat(offset)}"${fine}"`))).not.toBeNull()
  }
})
