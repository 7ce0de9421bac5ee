import { expect, it } from 'vitest'
import { readEvents } from '../../../api/read-events.ts'
import { readAnswer } from './read-stream.ts'

/**
 * Returns a stream of a text in chunks of `size` bytes, so that characters and events are split at
 * any position.
 */
function toStream(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  let start = 0
  return new ReadableStream({
    pull(controller) {
      if (start >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(start, start + size))
      start += size
    },
  })
}

async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = []
  for await (const value of values) all.push(value)
  return all
}

const frame = (content: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}`

it.each([1, 2, 3, 7, 1000])(
  'an answer is the same however its bytes are cut (%i at a time)',
  async (size) => {
    const text = `: keep-alive\n\n${frame('Grüße')}\n\n${frame(' 🌍')}\r\n\r\ndata: [DONE]\n\n${frame('late')}\n\n`
    const pieces = await collect(readAnswer(toStream(text, size)))
    expect(pieces.map((piece) => piece.content).join('')).toBe('Grüße 🌍')
  },
)

it('an error inside the stream is its last piece', async () => {
  const text = `${frame('Half')}\n\ndata: {"error":{"message":"The model went away."}}\n\ndata: [DONE]\n\n`
  expect((await collect(readAnswer(toStream(text, 5)))).at(-1)).toMatchObject({
    failure: 'The model went away.',
  })
})

it('data over several lines is one event, comments and names are none', async () => {
  expect(
    await collect(readEvents(toStream('event: x\ndata: one\ndata: two\n\n: nothing\n\n', 4))),
  ).toEqual(['one\ntwo'])
})

it('the sources of an answer come before its first word', async () => {
  const sources = [{ source: { name: 'lease.md' }, document: ['Three months.'], metadata: [{}] }]
  const text = `data: ${JSON.stringify({ sources })}\n\n${frame('So it is [1].')}\n\ndata: [DONE]\n\n`
  const pieces = await collect(readAnswer(toStream(text, 9)))
  expect(pieces.map((piece) => piece.sources)).toEqual([sources, null])
})
