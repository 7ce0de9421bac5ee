import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareLines } from './compare-lines.ts'

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
  .map((lines) => lines.join('\n'))

it('what is the same or removed is the one text, what is the same or added the other', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const lines = compareLines(one, other)
      const of = (kind: string): string =>
        lines
          .filter((line) => line.kind === 'same' || line.kind === kind)
          .map((line) => line.text)
          .join('\n')
      expect(of('removed')).toBe(one)
      expect(of('added')).toBe(other)
    }),
  )
})

it('keeps what both have', () => {
  expect(compareLines('a\nb\nc', 'a\nx\nc')).toEqual([
    { kind: 'same', text: 'a' },
    { kind: 'removed', text: 'b' },
    { kind: 'added', text: 'x' },
    { kind: 'same', text: 'c' },
  ])
})
