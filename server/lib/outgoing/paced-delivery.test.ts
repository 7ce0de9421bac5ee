import fc from 'fast-check'
import { setImmediate as nextLoop } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PacedDelivery, type PieceSource } from './paced-delivery.ts'
import { SLICE_MILLISECONDS } from '../turns.ts'

const LARGE = 20_000
/** Time added by each reading of the clock; the slice of a turn is over after one large piece. */
let step = 0
beforeEach(() => {
  step = SLICE_MILLISECONDS + 1
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += step))
})
afterEach(async () => {
  await nextLoop()
  vi.restoreAllMocks()
})

/**
 * Starts a delivery whose reader records what it receives; `answer` is its return value for a
 * piece.
 */
function start(answer: () => boolean = () => true) {
  const heard: string[] = []
  const source = {
    isHeld: false,
    isSettled: false,
    brokenOff: null as unknown,
    hold: () => void (source.isHeld = true),
    goOn: () => void (source.isHeld = false),
    settle: () => void (source.isSettled = true),
    breakOff(cause: unknown) {
      source.brokenOff = cause
      delivery.drop(cause as Error)
    },
  } satisfies PieceSource & Record<string, unknown>
  const delivery: PacedDelivery = new PacedDelivery(source)
  const sink = {
    onData(chunk: Buffer) {
      heard.push(chunk.toString('latin1').replaceAll('.', ''))
      return answer()
    },
    onEnd: () => void heard.push('end'),
    onFailure: ({ message }: Error) => void heard.push(message),
  }
  return { heard, source, delivery, sink }
}

const large = (name: string): Buffer => Buffer.from(name.padEnd(LARGE, '.'))
async function untilServed(): Promise<void> {
  for (let count = 0; count < 4; count += 1) await nextLoop()
}

describe('the delivery of pieces', () => {
  it('keeps a piece for which a turn has no time, holds its source back and hands it over later', async () => {
    const first = start()
    const second = start()
    for (const { delivery, sink } of [first, second]) delivery.read(sink)
    first.delivery.push(large('a'))
    second.delivery.push(large('b'))
    expect([first.heard, second.heard, first.source.isHeld, second.source.isHeld]).toEqual([
      ['a'],
      [],
      false,
      true,
    ])
    await untilServed()
    expect([second.heard, second.source.isHeld]).toEqual([['b'], false])
  })

  it.each(['end', 'failure'] as const)('tells an %s behind what is kept', async (how) => {
    const { heard, delivery, sink } = start()
    delivery.read(sink)
    delivery.push(large('a'))
    delivery.push(large('b'))
    delivery.push(Buffer.from('c'))
    if (how === 'end') delivery.end()
    else delivery.fail(new Error('failure'))
    expect(heard).toEqual(['a'])
    await untilServed()
    expect(heard).toEqual(['a', 'bc', how])
  })

  it('drops what is kept when it is ended by its reader', async () => {
    const { heard, delivery, sink, source } = start()
    delivery.read(sink)
    delivery.push(large('a'))
    delivery.push(large('b'))
    delivery.end()
    delivery.drop(new Error('aborted'))
    await untilServed()
    expect([heard, source.isSettled, delivery.isOver]).toEqual([['a', 'aborted'], true, true])
  })

  it('hands small pieces over at once, whatever others bring', () => {
    const [loud, small] = [start(), start()]
    for (const { delivery, sink } of [loud, small]) delivery.read(sink)
    loud.delivery.push(large('a'))
    loud.delivery.push(large('b'))
    for (const name of ['x', 'y', 'z']) small.delivery.push(Buffer.from(name))
    expect([loud.heard, small.heard, small.source.isHeld]).toEqual([['a'], ['x', 'y', 'z'], false])
  })

  it('paces very many small pieces of one reply like large ones', async () => {
    const { heard, delivery, sink } = start()
    delivery.read(sink)
    const count = 1000
    for (let place = 0; place < count; place += 1) delivery.push(Buffer.alloc(100, 'x'))
    expect(heard.length).toBeLessThan(200)
    await untilServed()
    expect(heard.join('')).toBe('x'.repeat(100 * count))
  })

  it('hands over what came before it was read in pieces, with turns in between', async () => {
    const { heard, delivery, sink, source } = start()
    for (let place = 0; place < 14; place += 1) delivery.push(large(String(place)))
    expect(source.isHeld).toBe(true)
    delivery.read(sink)
    expect(heard).toEqual(['012'])
    for (let count = 0; count < 10; count += 1) await nextLoop()
    expect([heard.join(''), source.isHeld]).toEqual(['012345678910111213', false])
  })

  const operation = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('large', 'small', 'turn') },
    { weight: 2, arbitrary: fc.constantFrom('pause', 'resume', 'read') },
    { weight: 1, arbitrary: fc.constantFrom('end', 'fail', 'drop') },
  )
  it('hands everything over once, in order, to one end, whatever happens in which order', async () => {
    const rounds = fc.record({
      operations: fc.array(operation, { maxLength: 40 }),
      answers: fc.infiniteStream(fc.boolean()),
      step: fc.constantFrom(0, 2, SLICE_MILLISECONDS + 1),
      throwsAt: fc.option(fc.nat(8)),
    })
    await fc.assert(
      fc.asyncProperty(rounds, async ({ operations, answers, step: milliseconds, throwsAt }) => {
        step = milliseconds
        let [isHolding, isRead, handed] = [false, false, 0]
        const heldWhenHanded: boolean[] = []
        const played = start(() => {
          heldWhenHanded.push(isHolding)
          handed += 1
          if (handed === throwsAt) throw new Error('thrown')
          isHolding = !answers.next().value
          return !isHolding
        })
        const { heard, delivery, source, sink } = played
        let sent = ''
        let [ending, dropped]: (string | null)[] = [null, null]
        const work: Record<string, () => unknown> = {
          turn: nextLoop,
          pause() {
            isHolding = isRead
            if (isRead) delivery.pause()
          },
          resume() {
            isHolding = false
            if (isRead) delivery.resume()
          },
          read() {
            if (isRead) return
            isRead = true
            delivery.read(sink)
          },
          end() {
            ending ??= 'end'
            delivery.end()
          },
          fail() {
            ending ??= 'failure'
            delivery.fail(new Error('failure'))
          },
          drop() {
            if (!delivery.isOver) dropped ??= 'aborted'
            delivery.drop(new Error('aborted'))
          },
        }
        for (const [place, name] of operations.entries()) {
          const more = work[name]
          if (more) await more()
          else if (ending === null && dropped === null) {
            const text = `${place},`
            sent += text
            delivery.push(name === 'large' ? large(text) : Buffer.from(text))
          }
        }
        // The remaining frames: the reader takes everything, and the source ends.
        await work['read']!()
        answers.next()
        for (let count = 0; count < 60; count += 1) {
          isHolding = false
          delivery.resume()
          await nextLoop()
        }
        await work['end']!()
        await untilServed()
        const last = heard.at(-1)!
        const pieces = heard.slice(0, -1).join('')
        const hasThrown = source.brokenOff !== null
        expect(heldWhenHanded).not.toContain(true)
        expect([delivery.isOver, source.isSettled]).toEqual([true, true])
        expect(last).toBe(hasThrown ? 'thrown' : (dropped ?? ending))
        expect(sent.startsWith(pieces)).toBe(true)
        expect(hasThrown || dropped !== null || pieces === sent).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})
