import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { FrameCutter, type Message } from './frames.ts'
import { FrameWriter } from './write-frames.ts'

/** Longer than one write. */
const LONG = Array.from({ length: 20_000 }, (_, place) => ({
  role: 'user',
  content: `word ${place}`,
}))

async function written(
  output: PassThrough,
  count: number,
): Promise<{ json: Message; hasParts: boolean }[]> {
  const cutter = new FrameCutter()
  const frames: { json: Message; hasParts: boolean }[] = []
  for await (const piece of output) {
    for (const { hasParts, payload } of cutter.take(piece as Buffer)) {
      const start = hasParts ? 4 : 0
      const end = hasParts ? start + payload.readUInt32BE(0) : payload.length
      frames.push({ hasParts, json: JSON.parse(payload.toString('utf8', start, end)) as Message })
    }
    if (frames.length === count) break
  }
  return frames
}

test('messages are written in the order they are sent, long ones and those with bytes among them', async () => {
  const output = new PassThrough()
  const writer = new FrameWriter(output, () => undefined)
  const sent: Message[] = [
    { t: 'call', id: 1, body: 'short' },
    { t: 'call', id: 2, messages: LONG },
    { t: 'cancel', id: 2 },
    { t: 'answer', id: 3, value: Buffer.from('bytes') },
    { t: 'call', id: 4, messages: LONG },
    { t: 'cancel', id: 4 },
  ]
  for (const message of sent) writer.send(message)
  const frames = await written(output, sent.length)
  expect(frames.map(({ json }) => [json.t, json['id']])).toEqual(sent.map(({ t, id }) => [t, id]))
  expect(frames.map(({ hasParts }) => hasParts)).toEqual([false, false, false, true, false, false])
  expect(frames[1]!.json).toEqual(sent[1])
})

test('others have turns while a long message is written', async () => {
  const output = new PassThrough().resume()
  const isWritten = new Promise((resolve) => output.once('data', resolve)).then(() => true)
  new FrameWriter(output, () => undefined).send({
    t: 'call',
    id: 1,
    messages: Array.from({ length: 10 }, () => LONG),
  })
  let turns = 0
  while (
    !(await Promise.race([isWritten, new Promise((resolve) => setImmediate(() => resolve(false)))]))
  )
    turns += 1
  expect(turns).toBeGreaterThan(5)
})

test('a message that cannot be written is told of, and those after it are written', async () => {
  const output = new PassThrough()
  const unwritable: unknown[] = []
  const writer = new FrameWriter(output, ({ t, id }) => unwritable.push([t, id]))
  const circle: Record<string, unknown> = { messages: LONG }
  circle['self'] = {
    circle: [
      LONG,
      {
        toJSON: () => {
          throw new Error('cannot')
        },
      },
    ],
  }
  writer.send({ t: 'call', id: 1, body: circle })
  writer.send({ t: 'ping', id: 2 })
  expect((await written(output, 1)).map(({ json }) => json['id'])).toEqual([2])
  expect(unwritable).toEqual([['call', 1]])
})
