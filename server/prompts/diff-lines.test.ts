import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffLines } from './diff-lines.ts'

const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
const join = (kinds: readonly string[], found: ReturnType<typeof diffLines>): string =>
  found
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ text }) => text)
    .join('\n')

describe('a comparison of two texts', () => {
  it('shows what was kept, removed and added, in order', () => {
    expect(
      diffLines('one\ntwo\nthree', 'one\n2\nthree\nfour').map(
        ({ kind, text }) => `${kind} ${text}`,
      ),
    ).toEqual(['same one', 'removed two', 'added 2', 'same three', 'added four'])
  })

  it('gives back either text from any comparison', () => {
    fc.assert(
      fc.property(lines, lines, (one, other) => {
        const [before, after] = [one.join('\n'), other.join('\n')]
        const found = diffLines(before, after)
        expect(join(['same', 'removed'], found)).toBe(before)
        expect(join(['same', 'added'], found)).toBe(after)
      }),
    )
  })

  it('shows very different long texts as one block removed and one added', () => {
    const one = Array.from({ length: 2000 }, (_, index) => `one ${index}`)
    const other = Array.from({ length: 2000 }, (_, index) => `other ${index}`)
    const found = diffLines(['head', ...one].join('\n'), ['head', ...other].join('\n'))
    expect(found[0]).toEqual({ kind: 'same', text: 'head' })
    expect(found.slice(1, 2001).every(({ kind }) => kind === 'removed')).toBe(true)
    expect(found.slice(2001).every(({ kind }) => kind === 'added')).toBe(true)
  })

  it.each([
    ['all different', '\n'.repeat(400_000), 'x\n'.repeat(200_000)],
    ['one line and many', 'x', '\n'.repeat(400_000)],
    ['all the same', '\n'.repeat(400_000), '\n'.repeat(400_000)],
  ])('lists few entries for texts of very many lines: %s', (_, before, after) => {
    const found = diffLines(before, after)
    expect(found.length).toBeLessThan(10)
    expect(join(['same', 'removed'], found)).toBe(before)
    expect(join(['same', 'added'], found)).toBe(after)
  })
})
