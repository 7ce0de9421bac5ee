import { describe, expect, test } from 'vitest'
import { shorten } from './calls/shorten.ts'
import { Traces } from './calls/traces.ts'

const start = (hook: string, input: unknown = null) =>
  ({
    plugin: { store: 'tool', id: 'big' },
    hook,
    callId: null,
    userId: 'u',
    chatId: null,
    messageId: null,
    input,
  }) as const
const sizeOf = (value: unknown): number => JSON.stringify(value).length

describe('What traces hold', () => {
  test('is bounded for each, whatever a plugin prints, sends and gives back', () => {
    const traces = new Traces()
    const open = traces.begin(start('flood', { text: 'x'.repeat(10_000_000) }))
    for (let count = 0; count < 10_000; count += 1) {
      open.event({ text: 'y'.repeat(10_000) })
      open.log({ stream: 'stdout', level: null, lines: ['z'.repeat(10_000)] })
    }
    open.done(Array.from({ length: 100_000 }, (_, index) => ({ index })))
    const { trace } = open
    expect(trace.events).toHaveLength(200)
    expect(trace.logs).toHaveLength(500)
    expect(sizeOf(trace.input)).toBeLessThan(17_000)
    expect(sizeOf(trace.result)).toBeLessThan(40_000)
    expect(sizeOf(trace)).toBeLessThan(2_500_000)
  })

  test('is bounded for all together: the oldest go first, and the one that grows stays', () => {
    const traces = new Traces()
    for (let count = 0; count < 20; count += 1) {
      const open = traces.begin(start(`call ${count}`))
      for (let line = 0; line < 500; line += 1)
        open.log({ stream: 'stdout', level: null, lines: ['z'.repeat(2_000)] })
      open.done(null)
    }
    const kept = traces.list({ userId: null, limit: 500 })
    expect(kept[0]!.hook).toBe('call 19')
    expect(kept[0]!.logs).toHaveLength(500)
    expect(kept.length).toBeLessThan(10)
    expect(sizeOf(kept)).toBeLessThan(11_000_000)
    traces.forget('u')
    expect(traces.list({ userId: null, limit: 500 })).toEqual([])
  })
})

describe('A value that is cut', () => {
  test.each([
    [
      { a: 1, b: [true, null, 'x'] },
      { a: 1, b: [true, null, 'x'] },
    ],
    [undefined, null],
    [{ a: undefined, b: () => 1 }, {}],
    [{ file: Buffer.from('abc') }, { file: '[3 bytes]' }],
    ['abcdefghij'.repeat(20), `${'abcdefghij'.repeat(10)}…`],
  ])('%j', (value, cut) => {
    expect(shorten(value, 100).value).toEqual(cut)
  })

  test('keeps its shape, and says where something is missing', () => {
    const value = {
      messages: Array.from({ length: 50 }, (_, index) => ({ content: `message ${index}` })),
      model: 'text',
    }
    const { value: cut, size } = shorten(value, 200)
    expect((cut as typeof value).messages.slice(0, 2)).toEqual([
      { content: 'message 0' },
      { content: 'message 1' },
    ])
    expect(JSON.stringify(cut)).toContain('…')
    expect(size).toBeLessThanOrEqual(200)
  })
})
