import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineScanner, LineTooLongError } from './lines.ts'
import { createFrameGuard } from '../../providers/compatible/guard-frames.ts'
import { SseScanner, type ServerSentEvent } from './sse.ts'

function scan(bytes: Buffer, cuts: readonly number[] = []): ServerSentEvent[] {
  const scanner = new SseScanner()
  const ends = [...new Set([...cuts, bytes.length])].toSorted((left, right) => left - right)
  const found = ends.flatMap((end, index) =>
    scanner.push(bytes.subarray(index === 0 ? 0 : ends[index - 1], end)),
  )
  return [...found, ...scanner.end()]
}

const scanText = (text: string): string[] => scan(Buffer.from(text)).map(({ data }) => data)

describe('the scanner of server-sent events', () => {
  it.each([
    ['LF', 'data: {"a":1}\n\ndata: [DONE]\n\n'],
    ['CR', 'data: {"a":1}\r\rdata: [DONE]\r\r'],
    ['CRLF', 'data: {"a":1}\r\n\r\ndata: [DONE]\r\n\r\n'],
    ['no blank lines', 'data: {"a":1}\ndata: [DONE]\n'],
    ['no last line end', 'data: {"a":1}\n\ndata: [DONE]'],
    ['no space after the colon', 'data:{"a":1}\n\ndata:[DONE]\n\n'],
    ['a byte order mark', '\uFEFFdata: {"a":1}\n\ndata: [DONE]\n\n'],
    [
      'comments and other fields',
      ': ping\n\nevent: x\nid: 7\nretry: 10\ndata: {"a":1}\n\n:\ndata: [DONE]\n\n',
    ],
  ])('row R16: reads %s', (_, text) => {
    expect(scanText(text)).toEqual(['{"a":1}', '[DONE]'])
  })

  it('joins the data lines of one event', () => {
    expect(scanText('data: {\ndata: "a": 1\ndata: }\n\n')).toEqual(['{\n"a": 1\n}'])
  })

  it('reads an object written over very many lines in a time that grows with their number alone', () => {
    const lines = Array.from({ length: 40_000 }, (_, index) => `"${index}": ${index}`).join(',\n')
    const event = `{${lines}}`.split('\n').map((line) => `data: ${line}`)
    const begun = performance.now()
    const [data] = scanText(`${event.join('\n')}\n\n`)
    const passed = createFrameGuard().push(Buffer.from(`${event.join('\n')}\n\n`))
    expect(performance.now() - begun).toBeLessThan(1000)
    expect(Object.keys(JSON.parse(data!) as object)).toHaveLength(40_000)
    expect(JSON.parse(passed.toString().slice('data: '.length))).toMatchObject({
      0: 0,
      39_999: 39_999,
    })
  })

  it('gives an event its own name, without blank lines too', () => {
    const events = scan(
      Buffer.from(
        'event: a\ndata: {"a":1}\nevent:b\ndata: {"b":1}\n\nevent: none\n\ndata: {"c":1}\n',
      ),
    )
    expect(events.map(({ name, data }) => [name, data])).toEqual([
      ['a', '{"a":1}'],
      ['b', '{"b":1}'],
      ['', '{"c":1}'],
    ])
  })

  it('row R16: finds the same events wherever the bytes are split, line ends and code points included', () => {
    const line = fc.oneof(
      fc
        .string({ unit: 'grapheme', maxLength: 12 })
        .map((text) => `data: ${JSON.stringify({ text })}`),
      fc.string({ maxLength: 8 }).map((text) => `: ${text.replace(/[\r\n]/g, '')}`),
      fc.constantFrom(
        '',
        'data',
        'data: [DONE]',
        'event: e',
        '\uFEFF',
        'data: {"cut"',
        'data: 🙂é',
      ),
    )
    const stream = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n', '\n\n')), {
      maxLength: 20,
    })
    const invalid = fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes))
    fc.assert(
      fc.property(
        stream,
        invalid,
        fc.array(fc.nat(400), { maxLength: 12 }),
        (lines, garbage, cuts) => {
          const bytes = Buffer.concat([Buffer.from(lines.flat().join('')), garbage])
          const inside = cuts.filter((cut) => cut < bytes.length)
          expect(scan(bytes, inside)).toEqual(scan(bytes))
          expect(
            scan(
              bytes,
              Array.from(bytes, (_, index) => index),
            ),
          ).toEqual(scan(bytes))
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('row R16: refuses a line of more than 12 MB instead of keeping it', () => {
    const scanner = new SseScanner()
    const part = Buffer.alloc(1024 * 1024, 'x')
    expect(() => {
      for (let count = 0; count < 13; count += 1) scanner.push(part)
    }).toThrow(LineTooLongError)
  })

  it('refuses an event that grows beyond the limit line by line', () => {
    const scanner = new SseScanner(100)
    expect(() => scanner.push(Buffer.from('data: 0123456789\n'.repeat(20)))).toThrow(
      LineTooLongError,
    )
  })
})

describe('the scanner of lines', () => {
  it('keeps a code point together that two chunks share', () => {
    const bytes = Buffer.from('å🙂\nb')
    const scanner = new LineScanner()
    const lines = Array.from(bytes, (_, index) =>
      scanner.push(bytes.subarray(index, index + 1)),
    ).flat()
    expect([...lines, scanner.end()]).toEqual(['å🙂', 'b'])
  })

  it('takes CRLF that two chunks share as one line end', () => {
    const scanner = new LineScanner()
    expect([...scanner.push(Buffer.from('a\r')), ...scanner.push(Buffer.from('\nb\n'))]).toEqual([
      'a',
      'b',
    ])
  })
})
