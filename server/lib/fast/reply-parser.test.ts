import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HttpError } from './http-error.ts'
import { ReplyParser } from './reply-parser.ts'

interface Read {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly body: string
  readonly isKept: boolean
  readonly isComplete: boolean
  readonly hasExtra: boolean
}

/** Parses bytes that arrive in pieces, in a buffer that is overwritten. */
function read(text: string, cuts: readonly number[] = [], closes = false): Read {
  const got = { status: 0, headers: {}, body: '', isKept: false, isComplete: false }
  const parser = new ReplyParser({
    onHead({ status, headers, isKept }) {
      Object.assign(got, { status, headers: { ...headers }, isKept })
    },
    room: () => null,
    onBody: (piece) => void pieces.push(piece),
    onComplete: () => void (got.isComplete = true),
  })
  const pieces: Buffer[] = []
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length]
  places.sort((one, other) => one - other)
  const memory = Buffer.alloc(text.length)
  for (const [index, from] of places.slice(0, -1).entries()) {
    const length = memory.write(text.slice(from, places[index + 1]), 0, 'latin1')
    parser.push(memory.subarray(0, length))
    memory.fill('?')
  }
  if (closes) parser.finish()
  return { ...got, body: Buffer.concat(pieces).toString('latin1'), hasExtra: parser.hasExtra }
}

const chunked = (...chunks: readonly string[]): string =>
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n' +
  chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('') +
  '0\r\n\r\n'

describe('a reply', () => {
  it('is read to the length that its head tells', () => {
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A:  b \r\n\r\nhello')).toEqual({
      status: 200,
      headers: { 'content-length': '5', 'x-a': 'b' },
      body: 'hello',
      isKept: true,
      isComplete: true,
      hasExtra: false,
    })
  })

  it('is read in chunks, with what is said about them left out', () => {
    const text = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
    const body = '5;a=b\r\nhello\r\nA \r\n, everyone\r\n0\r\nX-Sum: 1\r\nX-More:\r\n\r\n'
    expect(read(text + body)).toMatchObject({ body: 'hello, everyone', isComplete: true })
  })

  it('ends with its connection where no length is told, which cannot be kept', () => {
    const text = 'HTTP/1.1 200 OK\r\n\r\nhello'
    expect(read(text)).toMatchObject({ body: 'hello', isKept: false, isComplete: false })
    expect(read(text, [], true)).toMatchObject({ body: 'hello', isComplete: true })
  })

  it('has no body where its status says so, whatever its head says', () => {
    expect(read('HTTP/1.1 204 No Content\r\n\r\n')).toMatchObject({
      isKept: true,
      isComplete: true,
    })
    for (const field of ['Content-Length: 5', 'Transfer-Encoding: chunked']) {
      const reply = read(`HTTP/1.1 304 Not Modified\r\n${field}\r\n\r\nhello`)
      expect(reply).toMatchObject({ body: '', isKept: false, isComplete: true, hasExtra: true })
    }
  })

  it('may follow heads that are none yet', () => {
    const early = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n'
    expect(read(`${early}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`)).toMatchObject({
      status: 200,
      headers: { 'content-length': '2' },
      body: 'ok',
    })
  })

  it.each([
    ['HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 0\r\n\r\n', false],
    ['HTTP/1.1 200 OK\r\nConnection: x, close\r\nContent-Length: 0\r\n\r\n', false],
    ['HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n', false],
    ['HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n', true],
    ['HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n', true],
  ])('tells whether its connection is kept: %j', (text, isKept) => {
    expect(read(text)).toMatchObject({ isKept, isComplete: true })
  })

  it('says that bytes came behind it', () => {
    const text = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
    expect(read(`${text}HTTP/1.1 200 OK\r\n\r\n`)).toMatchObject({ body: 'ok', hasExtra: true })
  })

  it('keeps a name of every object a name as any', () => {
    const { headers } = read('HTTP/1.1 200 OK\r\nConstructor: a\r\nContent-Length: 0\r\n\r\n')
    expect(headers['constructor']).toBe('a')
    expect(() => read('HTTP/1.1 200 OK\r\n__proto__: a\r\nContent-Length: 0\r\n\r\n')).not.toThrow()
  })

  it('is the same wherever its bytes are cut', () => {
    const bodies = fc.array(fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 40 }), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(bodies, fc.array(fc.nat()), fc.boolean(), (pieces, cuts, isChunked) => {
        const body = pieces.join('')
        const plain = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`
        const text = isChunked ? chunked(...pieces) : plain
        expect(read(text, cuts)).toEqual(read(text))
        expect(read(text, cuts)).toMatchObject({ body, isComplete: true, hasExtra: false })
      }),
    )
  })
})

const head = (...fields: readonly string[]): string =>
  `HTTP/1.1 200 OK\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n`
const LONG = 'a'.repeat(20_000)

describe('a reply is refused', () => {
  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['another version', 'HTTP/2 200 OK\r\n\r\n'],
    ['no status', 'HTTP/1.1 OK\r\n\r\n'],
    ['an upgrade nobody asked for', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'],
    ['two lengths', head('Content-Length: 5', 'Content-Length: 5')],
    ['two lengths in one', head('Content-Length: 5, 5')],
    ['a negative length', head('Content-Length: -5')],
    ['a length with a sign', head('Content-Length: +5')],
    ['a length in hexadecimal', head('Content-Length: 0x5')],
    ['an endless length', head('Content-Length: 99999999999999999999')],
    ['an empty length', head('Content-Length:')],
    ['a length and chunks', head('Content-Length: 5', 'Transfer-Encoding: chunked')],
    ['a name with a space', head('Content-Length : 5')],
    ['a line that goes on', head('X-A: b', ' Content-Length: 5')],
    ['a line without a colon', head('Content-Length')],
    ['an empty name', head(': 5')],
    ['half a line end', head('X-A: b\nContent-Length: 5')],
    ['the other half', head('X-A: b\rContent-Length: 5')],
    ['a zero byte', head('X-A: b\0c')],
    ['a long head', head(`X-A: ${LONG}`)],
    ['an endless head', `HTTP/1.1 200 OK\r\nX-A: ${LONG}`],
    ['a chunk without a size', `${head('Transfer-Encoding: chunked')}\r\n`],
    ['a size that is none', `${head('Transfer-Encoding: chunked')}5g\r\nhello`],
    ['a size with a sign', `${head('Transfer-Encoding: chunked')}-5\r\nhello`],
    ['an endless size', `${head('Transfer-Encoding: chunked')}${'f'.repeat(14)}\r\n`],
    ['a size that ends in half', `${head('Transfer-Encoding: chunked')}5\nhello`],
    ['a long chunk', `${head('Transfer-Encoding: chunked')}5\r\nhello!\r\n`],
    ['an endless extension', `${head('Transfer-Encoding: chunked')}5;${LONG}`],
    ['a line end in an extension', `${head('Transfer-Encoding: chunked')}5;a\nb\r\nhello`],
    ['endless trailers', `${head('Transfer-Encoding: chunked')}0\r\n${'X-A: b\r\n'.repeat(3000)}`],
  ])('with %s', (_, text) => {
    expect(() => read(text)).toThrow(HttpError)
    expect(() => read(text, [3, 17, 21, 40, 51, 60])).toThrow(HttpError)
  })

  it('where it ends early', () => {
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell', [], true)).toMatchObject({
      isComplete: false,
    })
    expect(read(chunked('hello').slice(0, -2), [], true)).toMatchObject({ isComplete: false })
  })
})
