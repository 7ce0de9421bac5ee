import type { Socket } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { skipContinue } from './skip-continue.ts'

/**
 * Returns the output for the given pieces, each with the number of bytes written before it arrived.
 */
function play(pieces: readonly { written: number; text: string }[]): string {
  const passed: string[] = []
  const socket = {
    bytesWritten: 0,
    push(chunk: Buffer | null) {
      passed.push(chunk === null ? '|end' : chunk.toString('latin1'))
      return true
    },
  }
  skipContinue(socket as unknown as Socket)
  for (const { written, text } of pieces) {
    socket.bytesWritten = written
    socket.push(Buffer.from(text, 'latin1'))
  }
  socket.push(null)
  return passed.join('')
}

/** Splits a text at the given places. */
const cut = (text: string, places: readonly number[], written: number) => {
  const sorted = [
    0,
    ...places.filter((place) => place < text.length).toSorted((one, other) => one - other),
    text.length,
  ]
  return sorted
    .slice(1)
    .flatMap((to, place) =>
      to > sorted[place]! ? [{ written, text: text.slice(sorted[place], to) }] : [],
    )
}

const goOn = fc.constantFrom(
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.0 100 \r\n\r\n',
  'HTTP/1.1 100\r\nX-A: b\r\n\r\n',
)
const reply = fc.constantFrom(
  'HTTP/1.1 200 OK\r\nContent-Length: 29\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHello',
  'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\n\r\n',
  'nonsense',
)
const half = fc.constantFrom('', 'H', 'HTTP/1.1 10')
const places = fc.array(fc.nat(80), { maxLength: 6 })

test('heads that say to go on are left out in front of each reply, wherever the bytes are cut', () => {
  const exchange = fc.record({ before: fc.array(goOn, { maxLength: 3 }), reply, places })
  fc.assert(
    fc.property(fc.array(exchange, { maxLength: 3 }), half, (exchanges, last) => {
      const pieces = exchanges.flatMap(({ before, reply: text, places: at }, place) =>
        cut(before.join('') + text, at, place + 1),
      )
      // Bytes that may become such a header are held until they prove to be none, or until the
      // stream ends.
      expect(play([...pieces, ...cut(last, [1], 9)])).toBe(
        `${exchanges.map(({ reply: text }) => text).join('')}${last}|end`,
      )
    }),
  )
})

test('the same bytes in the middle of a reply pass, and so does a head that never ends', () => {
  const text = 'HTTP/1.1 100 Continue\r\n\r\n'
  const head = 'HTTP/1.1 200 OK\r\n\r\n'
  expect(play([head, text, `${text}more`].map((each) => ({ written: 1, text: each })))).toBe(
    `${head}${text}${text}more|end`,
  )
  const endless = `HTTP/1.1 100 ${'x'.repeat(20_000)}`
  expect(play([{ written: 1, text: endless }])).toBe(`${endless}|end`)
})
