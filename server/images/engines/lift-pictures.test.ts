import fc from 'fast-check'
import { expect, it } from 'vitest'
import { drawNoisyPng } from '../../testing/draw-png.ts'
import { PictureLifter } from './lift-pictures.ts'

const BOUNDS = { pictureBytes: 1_000_000, pictures: 4 }
const picture = drawNoisyPng(9000)
const base64 = picture.toString('base64')

async function lift(text: string, cuts: readonly number[] = [], bounds = BOUNDS) {
  const lifter = new PictureLifter(bounds)
  const bytes = Buffer.from(text)
  const places = [...new Set(cuts.map((cut) => cut % bytes.length))].toSorted((a, b) => a - b)
  let from = 0
  for (const place of [...places, bytes.length]) {
    lifter.write(bytes.subarray(from, place))
    from = place
  }
  return lifter.end()
}

it('takes pictures out of JSON wherever its bytes are cut, and leaves everything else as it is', async () => {
  const words = 'Long "quoted" text with \\ and ü. '.repeat(300)
  const value = {
    text: words,
    data: [{ b64_json: base64 }, { url: `data:image/png;base64,${base64}` }],
    short: 'aGk=',
    last: '\\',
  }
  const text = JSON.stringify(value)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 12 }), async (cuts) => {
      const lifted = await lift(text, cuts)
      const read = lifted.value as typeof value
      expect(read).toMatchObject({ text: words, short: 'aGk=', last: '\\' })
      expect(lifted.picture(read.data[0]!.b64_json)?.equals(picture)).toBe(true)
      expect(lifted.picture(read.data[1]!.url)?.equals(picture)).toBe(true)
      expect(lifted.picture(read.short)?.toString()).toBe('hi')
    }),
    { numRuns: 200 },
  )
})

it('reads base64 with escaped slashes and broken lines', async () => {
  const text = `{"a":"${base64.replaceAll('/', '\\/')}","b":"${base64.replace(/.{76}/g, '$&\\n')}"}`
  const lifted = await lift(text, [100, 5000, 12_001])
  const { a, b } = lifted.value as { a: string; b: string }
  expect([lifted.picture(a)?.equals(picture), lifted.picture(b)?.equals(picture)]).toEqual([
    true,
    true,
  ])
})

it('takes no texts of an answer for pictures of it', async () => {
  const { value } = await lift(JSON.stringify({ word: 'x'.repeat(10_000) }), [], {
    pictureBytes: 0,
    pictures: 0,
  })
  expect(value).toEqual({ word: 'x'.repeat(10_000) })
  const lifted = await lift(JSON.stringify({ data: base64, forged: 'lifted:1:0' }))
  expect(lifted.picture((lifted.value as { forged: string }).forged)?.equals(picture)).toBe(false)
})

it('refuses what is too much', async () => {
  const big = 'A'.repeat(2_000_000)
  await expect(lift(`{"a":"${big}"}`)).rejects.toThrow('larger than 1 MB')
  await expect(lift(JSON.stringify(Array.from({ length: 5 }, () => base64)))).rejects.toThrow(
    'more pictures',
  )
  await expect(lift(`{"a":"${'"'.repeat(3)}`)).rejects.toThrow('not valid JSON')
  await expect(lift(`{"a":"${'word '.repeat(1_000_000)}"}`)).rejects.toThrow(
    'larger than any answer',
  )
})

it('believes no length an answer announces', async () => {
  const text = JSON.stringify({ one: base64, other: base64 })
  for (const expected of [0, 1, text.length, 1e15, -5]) {
    const lifter = new PictureLifter(BOUNDS, expected)
    for (let at = 0; at < text.length; at += 700)
      lifter.write(Buffer.from(text.slice(at, at + 700)))
    const { value, picture: find } = await lifter.end()
    const { one, other } = value as { one: string; other: string }
    expect([find(one)?.equals(picture), find(other)?.equals(picture)]).toEqual([true, true])
  }
})
