import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { AnswerRoom, keepFlat } from './answer-room.ts'

const MEGA = 1024 * 1024

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const measure = (): number => {
  collect()
  return process.memoryUsage().heapUsed
}

describe('the room for answers', () => {
  it('is bounded for one answer and for all together, and ordinary answers always have some', () => {
    const [endless, ordinary] = [new AnswerRoom(), new AnswerRoom()]
    const others: AnswerRoom[] = []
    expect(() => {
      for (;;) endless.take(MEGA)
    }).toThrow(expect.objectContaining({ status: 502, code: 'answer_too_long' }) as Error)
    expect(() => {
      for (;;) {
        const other = new AnswerRoom()
        others.push(other)
        other.take(16 * MEGA)
      }
    }).toThrow(
      expect.objectContaining({
        status: 503,
        code: 'answers_take_all_room',
        headers: { 'Retry-After': '5' },
      }) as Error,
    )
    ordinary.take(MEGA)
    for (const each of [endless, ordinary, ...others]) each.release()
    const next = new AnswerRoom()
    next.take(16 * MEGA)
    next.release()
  })

  it('is not taken by the pieces of a text once they are kept in one', () => {
    const grow = (
      step: (text: string, flat: number) => number,
    ): { text: string; bytes: number } => {
      const before = measure()
      let [text, flat] = ['', 0]
      for (let count = 1_000_000; count < 2_000_000; count += 1) {
        text += `${count} `
        flat = step(text, flat)
      }
      return { bytes: measure() - before, text }
    }
    const [chained, kept] = [grow(() => 0), grow(keepFlat)]
    expect(kept.bytes).toBeLessThan(kept.text.length * 3)
    expect(chained.bytes).toBeGreaterThan(kept.bytes * 2)
    expect(kept.text).toBe(chained.text)
  })
})
