import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonSplitter, type JsonValue } from './split-json.ts'

const LISTS = new Set(['chats'])

function split(text: string, cut = Infinity, longest = 1_000_000): JsonValue[] {
  const values: JsonValue[] = []
  const splitter = new JsonSplitter({
    lists: LISTS,
    longest,
    onValue: (value) => values.push(value),
  })
  const bytes = Buffer.from(text, 'utf8')
  for (let from = 0; from < bytes.length; from += cut)
    splitter.push(bytes.subarray(from, Math.min(bytes.length, from + cut)))
  splitter.end()
  return values
}
const parse = (values: JsonValue[]) =>
  values.map(({ name, isElement, text }) => [name, isElement, JSON.parse(text!) as unknown])

describe('a long JSON document', () => {
  it('is taken apart into the elements of an outermost list, however it arrives', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom(0, 1, 3),
        (list, cut, indent) => {
          const sent = JSON.parse(JSON.stringify(list)) as unknown[]
          expect(parse(split(JSON.stringify(list, null, indent), cut))).toEqual(
            sent.map((value) => [null, true, value]),
          )
        },
      ),
    )
  })

  it('is taken apart into members, and into the elements of the lists that are asked for', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.array(fc.jsonValue()),
        fc.integer({ min: 1, max: 20 }),
        (rest, chats, cut) => {
          const { chats: _chats, ...members } = JSON.parse(JSON.stringify(rest)) as Record<
            string,
            unknown
          >
          const elements = JSON.parse(JSON.stringify(chats)) as unknown[]
          const text = `\uFEFF${JSON.stringify({ ...members, chats })}`
          const found = parse(split(text, cut))
          expect(found.filter(([, isElement]) => isElement)).toEqual(
            elements.map((value) => ['chats', true, value]),
          )
          expect(
            found.filter(([, isElement]) => !isElement).map(([name, , value]) => [name, value]),
          ).toEqual(Object.entries(members))
        },
      ),
    )
  })

  it('hands over a value that is too long without its text and goes on', () => {
    expect(
      split('["short", "much too long for this", 3]', 4, 10).map((value) => value.text),
    ).toEqual(['"short"', null, '3'])
  })

  it('is refused when it is no JSON or ends early', () => {
    for (const text of ['', '[1, 2', '{"a": {'])
      expect(() => split(text)).toThrow('the end is missing')
    for (const text of ['text', '"text"'])
      expect(() => split(text)).toThrow('neither an object nor a list')
    expect(() => split('{1: 2}')).toThrow('a member without a name')
  })
})
