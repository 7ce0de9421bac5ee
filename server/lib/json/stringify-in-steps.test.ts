import fc from 'fast-check'
import { expect, it } from 'vitest'
import { stringifyInSteps } from './stringify-in-steps.ts'
import { runAtOnce } from '../turns.ts'

const write = (value: unknown): string => runAtOnce(stringifyInSteps(value)).toString('utf8')
const stepsOf = (value: unknown): number => [...stringifyInSteps(value)].length

it('writes what JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(write(value)).toBe(JSON.stringify(value))
    }),
  )
})

it('writes large values a little at a time, and the same', () => {
  const emoji = `x${'😀'.repeat(400_000)}"\\\n`
  const wide = {
    list: Array.from({ length: 20_000 }, (_, place) => ({ place, text: 'é"', none: undefined })),
    emoji,
    empty: [{}, [], undefined],
  }
  for (const value of [
    emoji,
    wide,
    [wide, emoji, null],
    Array.from({ length: 50_000 }, () => 1),
    { ['__proto__']: 1, emoji },
  ]) {
    expect(write(value)).toBe(JSON.stringify(value))
    expect(stepsOf(value)).toBeGreaterThan(3)
  }
})
