import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { encodeFrame, type Message } from './frames.ts'
import type { ReadFrame } from './parse-frame.ts'
import { readFrames } from './read-frames.ts'

const BOUNDS = {
  values: 1000,
  valuesSetting: 'JSON_BODY_MAX_VALUES',
  depth: 20,
  subject: 'What the plugin sent',
}
const GENEROUS = { ...BOUNDS, values: 1_000_000 }
const PIECE_BYTES = 64 * 1024

const cut = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )

interface ReadTest {
  readonly size?: number
  readonly bounds?: typeof BOUNDS
  readonly onFrame?: (frame: ReadFrame) => void
}

/** Decodes the bytes; returns the messages and the error for broken ones. */
async function read(
  bytes: Buffer,
  { size = PIECE_BYTES, bounds = BOUNDS, onFrame }: ReadTest = {},
) {
  const frames: ReadFrame[] = []
  const broken: string[] = []
  await readFrames({
    output: Readable.from(cut(bytes, size), { objectMode: false }),
    bounds: () => bounds,
    onFrame(frame) {
      frames.push(frame)
      onFrame?.(frame)
    },
    onSign: () => undefined,
    onBroken: (error) => broken.push(String(error)),
  })
  return {
    messages: frames.map(({ message }) => message),
    refusals: frames.map(({ refusal }) => refusal?.message ?? null),
    broken,
  }
}

const numbered = (count: number): Message[] =>
  Array.from({ length: count }, (_, n) => ({ t: 'request', id: n }))
const head = (length: number, kind: number): Buffer => {
  const bytes = Buffer.alloc(5)
  bytes.writeUInt32BE(length, 0)
  bytes.writeUInt8(kind, 4)
  return bytes
}

/** Returns the frame of a message without its part of three bytes. */
const withoutParts = (message: Message): Buffer => {
  const payload = encodeFrame(message).subarray(5, -3)
  return Buffer.concat([head(payload.length, 1), payload])
}

/** Counts the turns of the event loop available to others while the work was done. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const tick = (): void => {
    turns += 1
    if (!isDone) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  isDone = true
  return turns
}

test.each([1, 7, 4096, PIECE_BYTES])(
  'frames come in order, with their bytes, in pieces of %i bytes',
  async (size) => {
    const picture = Buffer.alloc(5000, 'ab')
    const sent: Message[] = [
      { t: 'event', data: 'ü'.repeat(9000) },
      { t: 'result', id: 1, value: [{ picture }, null, { deep: [picture.subarray(0, 3)] }] },
      { t: 'beat' },
      { t: 'result', id: 2, value: { empty: Buffer.alloc(0) } },
    ]
    const { messages, broken } = await read(Buffer.concat(sent.map(encodeFrame)), { size })
    expect(broken).toEqual([])
    expect(messages).toEqual([
      sent[0],
      { ...sent[1], parts: [5000, 3] },
      sent[2],
      { ...sent[3], parts: [0] },
    ])
  },
)

test('a large frame is parsed in turns, and those behind it wait for it', async () => {
  const list = Array.from({ length: 300_000 }, (_, n) => ({ n }))
  const order: unknown[] = []
  const bytes = Buffer.concat(
    [{ t: 'result', id: 1, value: list }, ...numbered(3)].map((message) =>
      encodeFrame(message as Message),
    ),
  )
  let messages: readonly Partial<Message>[] = []
  const turns = await countTurns(async () => {
    const found = await read(bytes, {
      bounds: GENEROUS,
      size: bytes.length,
      onFrame: ({ message }) => order.push(message['id']),
    })
    messages = found.messages
  })
  expect(order).toEqual([1, 0, 1, 2])
  expect(messages[0]).toEqual({ t: 'result', id: 1, value: list })
  expect(turns).toBeGreaterThan(3)
})

test('others have a turn between many small frames of one piece', async () => {
  const bytes = Buffer.concat(numbered(3200).map(encodeFrame))
  let messages: readonly Partial<Message>[] = []
  const turns = await countTurns(async () => {
    messages = (await read(bytes, { size: bytes.length })).messages
  })
  expect(messages).toEqual(numbered(3200))
  expect(turns).toBeGreaterThanOrEqual(100)
})

test('a worker is read no faster than its messages are handled', async () => {
  let given = 0
  const frame = encodeFrame({ t: 'event', data: 'x'.repeat(PIECE_BYTES) })
  function* endless(): Generator<Buffer> {
    for (; given < 1000; given += 1) yield frame
  }
  const ahead: number[] = []
  let taken = 0
  await readFrames({
    output: Readable.from(endless(), { objectMode: false, highWaterMark: PIECE_BYTES }),
    bounds: () => BOUNDS,
    onFrame: () => ahead.push(given - (taken += 1)),
    onSign: () => undefined,
    onBroken: () => undefined,
  })
  expect(taken).toBe(1000)
  expect(Math.max(...ahead)).toBeLessThan(5)
})

test.each([
  [
    'values',
    {
      t: 'result',
      id: 7,
      plugin: 'a, "b"',
      value: Array.from({ length: 2000 }, () => ({})),
      call: 3,
    },
    /more than 1000 values.*JSON_BODY_MAX_VALUES/,
  ],
  [
    'levels',
    {
      t: 'result',
      id: 7,
      plugin: 'a, "b"',
      value: JSON.parse('['.repeat(30) + ']'.repeat(30)) as unknown,
      call: 3,
    },
    /20 levels.*JSON_BODY_MAX_DEPTH/,
  ],
])(
  'a frame of too many %s is refused with what it is about, and the next one is read',
  async (_, message, sentence) => {
    const parts = encodeFrame({ ...message, bytes: Buffer.from('beside') })
    const { messages, refusals, broken } = await read(
      Buffer.concat([encodeFrame(message), parts, encodeFrame({ t: 'beat' })]),
    )
    expect(broken).toEqual([])
    const { value: _value, ...about } = message
    expect(messages).toEqual([
      expect.objectContaining(about),
      expect.objectContaining(about),
      { t: 'beat' },
    ])
    expect(refusals).toEqual([
      expect.stringMatching(sentence),
      expect.stringMatching(sentence),
      null,
    ])
    expect(refusals[0]).toMatch(/^What the plugin sent /)
  },
)

test.each([
  [
    'announces more bytes than any',
    head(257 * 1024 * 1024, 0),
    /announces 269484032 bytes, and 268435456 are the most/,
  ],
  ['is of an unknown kind', head(2, 9), /of the kind 9/],
  ['is no JSON', Buffer.concat([head(4, 0), Buffer.from('{"t"')]), /contains no JSON/],
  [
    'is a large one that is no JSON',
    Buffer.concat([head(40_000, 0), Buffer.alloc(40_000, 'x')]),
    /contains no JSON/,
  ],
  ['is empty', head(0, 0), /contains no JSON/],
  ['is no message', Buffer.concat([head(2, 0), Buffer.from('[]')]), /contains no message/],
  [
    'has no length of its JSON',
    Buffer.concat([head(2, 1), Buffer.from('{}')]),
    /longer than the frame/,
  ],
  [
    'has parts it does not bring',
    withoutParts({ t: 'x', a: Buffer.from('abc') }),
    /stated lengths/,
  ],
])('a frame that %s ends the reading', async (_, bytes, sentence) => {
  const { messages, broken } = await read(
    Buffer.concat([encodeFrame({ t: 'beat' }), bytes, encodeFrame({ t: 'beat' })]),
  )
  expect(messages).toEqual([{ t: 'beat' }])
  expect(broken).toEqual([expect.stringMatching(sentence)])
})
