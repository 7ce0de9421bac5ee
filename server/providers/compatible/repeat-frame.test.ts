import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutBytes, decodePieces, summarize } from '../../testing/play-bytes.ts'
import { StreamDecoder } from './decode-stream.ts'

const faults = { name: 'Test', secrets: [] }
const frame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const toFrame = (content: unknown, more: Record<string, unknown> = {}): string =>
  frame({ id: 'c', ...more, choices: [{ index: 0, delta: { content }, finish_reason: null }] })

const tricky = fc.constantFrom(
  '"content":"x"',
  '","content":"',
  '\\',
  '"',
  'data: [DONE]',
  '\u2028',
  '🙂',
  '{"a":1}',
  '',
)
const texts = fc.array(fc.oneof(fc.string({ unit: 'binary' }), tricky), { maxLength: 30 })
const extras = fc.constantFrom(
  {},
  { note: '"content":"x"' },
  { content: 'x' },
  { other: { content: 'y' } },
)

describe('frames that differ only in their text', () => {
  it('say the same as when each is parsed, whatever they contain, one by one and joined', () => {
    const run = fc.property(texts, extras, fc.array(fc.nat(3000)), (contents, more, cuts) => {
      const bytes = Buffer.from(
        contents.map((content) => toFrame(content, more)).join('') + 'data: [DONE]\n\n',
      )
      const expected = contents.join('').toWellFormed()
      for (const joinsText of [false, true]) {
        const frames = decodePieces(new StreamDecoder({ faults, joinsText }), cutBytes(bytes, cuts))
        expect(summarize(frames).content.toWellFormed()).toBe(expected)
      }
    })
    fc.assert(run, { numRuns: 500 })
  })

  it('become one frame when they came together and may be joined, and no other frame is lost', () => {
    const finish = frame({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
    const bytes = Buffer.from(
      `${['one', ' two', ' three'].map((text) => toFrame(text)).join('')}${finish}data: [DONE]\n\n`,
    )
    const joined = decodePieces(new StreamDecoder({ faults, joinsText: true }), [bytes])
    expect(joined).toHaveLength(3)
    expect(summarize(joined)).toMatchObject({ content: 'one two three', finish: 'stop' })
    expect(decodePieces(new StreamDecoder({ faults }), [bytes])).toHaveLength(4)
  })

  it('are parsed when something other than one text stands at the place', () => {
    const odd =
      'data: {"id":"c","choices":[{"index":0,"delta":{"content":"a","content":"b"},"finish_reason":null}]}\n\n'
    const bytes = Buffer.from(`${toFrame('x')}${toFrame('y')}${odd}data: [DONE]\n\n`)
    expect(
      summarize(decodePieces(new StreamDecoder({ faults, joinsText: true }), [bytes])).content,
    ).toBe('xyb')
  })
})
