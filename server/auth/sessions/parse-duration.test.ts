import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDuration } from './parse-duration.ts'

describe('the lifetime of a session', () => {
  it.each([
    ['4w', 2_419_200],
    ['12h', 43_200],
    ['1.5m', 90],
    ['1h30m', 5400],
    ['500ms', 1],
    ['0s', 1],
    ['99999999999w', 3_153_600_000],
    ['-1', null],
    ['0', null],
  ])('%s is %s seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds)
  })

  it('is nothing for other text, whatever it is', () => {
    for (const text of ['', ' ', '-2', '1', 'w', '1y', '1 h', '4w ', 'NaN', 'Infinity', '1e9s'])
      expect(parseDuration(text)).toBeUndefined()
    fc.assert(
      fc.property(fc.string(), (text) => {
        const seconds = parseDuration(text)
        return (
          seconds === undefined || seconds === null || (Number.isInteger(seconds) && seconds > 0)
        )
      }),
    )
  })
})
