import { expect, it } from 'vitest'
import { withoutLongTexts } from '../json/long-texts.ts'
import { arePlain } from './plain-bytes.ts'
import { isUtf8Outside, PlainStretch } from './plain-stretch.ts'

const BYTES = 70_000
const PIECE = 16 * 1024

it('each byte that is no printable ASCII, or ends or escapes a text, is found wherever it is', () => {
  for (let byte = 0; byte < 256; byte += 1) {
    const isPlain = byte >= 0x20 && byte < 0x80 && byte !== 0x22 && byte !== 0x5c
    for (const place of [0, byte % 16, 65_535, 65_536, BYTES - 1]) {
      const bytes = Buffer.alloc(BYTES, 'A')
      bytes[place] = byte
      expect([byte, place, arePlain(bytes)]).toEqual([byte, place, isPlain])
    }
  }
  expect(arePlain(Buffer.from('short'))).toBe(true)
})

/** Returns the stretch of JSON that arrives in pieces. */
function stretchOf(json: Buffer): PlainStretch {
  const stretch = new PlainStretch()
  for (let at = 0; at < json.length; at += PIECE) stretch.push(json.subarray(at, at + PIECE))
  return stretch
}

it('what is said of JSON is the same with the stretch found while it arrived', () => {
  const long = 'A'.repeat(200_000)
  const texts = [
    { picture: long, after: 'ü' },
    { first: long, second: `${long}${long}`, text: `ü${long}` },
    { list: [`${long}"`, long] },
    { escaped: `\n${long}`, other: long },
  ]
  for (const text of texts) {
    const json = Buffer.from(JSON.stringify(text))
    const stretch = stretchOf(json)
    expect(stretch.to - stretch.from).toBeGreaterThan(100_000)
    expect(json.toString('latin1', stretch.from, stretch.to)).toMatch(/^A+$/)
    expect(withoutLongTexts(json, stretch)?.toString()).toBe(withoutLongTexts(json)?.toString())
    expect(isUtf8Outside(stretch, json)).toBe(true)
  }
  const broken = Buffer.from(`{"a":"${long}\u00FF"}`, 'latin1')
  expect(isUtf8Outside(stretchOf(broken), broken)).toBe(false)
  const control = Buffer.from(`{"a":"${long}\u0001"}`)
  expect(withoutLongTexts(control, stretchOf(control))).toBeNull()
})
