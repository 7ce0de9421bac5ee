import { describe, expect, it } from 'vitest'
import { fuse } from './fuse.ts'

const both = { vectors: true, words: true }
const near = (...ids: number[]) => ids.map((id, place) => ({ id, score: 0.8 - place * 0.05 }))
const worded = (coverage: number, ...ids: number[]) => ids.map((id) => ({ id, coverage }))
const order = (...input: Parameters<typeof fuse>) => fuse(...input).map(({ id }) => id)

describe('joining what was found by meaning and by words', () => {
  it('puts first what both found', () => {
    expect(order([{ near: near(1, 2, 3), worded: worded(0.6, 2, 9) }], 0.5, both)[0]).toBe(2)
  })

  it('lets one common word not outweigh the nearest meaning, and all words outweigh it', () => {
    expect(order([{ near: near(1, 2), worded: worded(0.1, 7) }], 0.5, both)).toEqual([1, 2, 7])
    expect(order([{ near: near(1, 2), worded: worded(1, 7) }], 0.5, both)[0]).toBe(7)
  })

  it('heeds the weight, and needs none when only one list is asked for', () => {
    const found = { near: near(1), worded: worded(1, 2) }
    expect(order([found], 0.9, both)[0]).toBe(2)
    expect(order([found], 0.05, both)[0]).toBe(1)
    expect(
      fuse([{ near: [], worded: worded(0.5, 2) }], 0.5, { vectors: false, words: true }),
    ).toEqual([{ id: 2, score: 0.5, vector_score: null, word_score: 0.5 }])
  })

  it('sums up what several wordings found, with scores from 0 to 1', () => {
    const findings = [
      { near: near(1, 2), worded: [] },
      { near: near(3, 2), worded: worded(1, 2) },
    ]
    const found = fuse(findings, 0.5, both)
    expect(found[0]!.id).toBe(2)
    for (const { score } of found) expect(score >= 0 && score <= 1).toBe(true)
    expect(fuse([{ near: [{ id: 1, score: -0.4 }], worded: [] }], 0.5, both)[0]).toMatchObject({
      score: 0,
      vector_score: 0,
    })
  })
})
