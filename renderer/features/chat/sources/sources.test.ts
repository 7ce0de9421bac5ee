import { describe, expect, it } from 'vitest'
import '../../../lib/i18n.ts'
import { citesSource } from './cites-source.ts'
import { readSource, toPlace, toQuote } from '../../../ui/sources/read-sources.ts'
import { findPassage, STEP, windowAround } from '../../../ui/document-viewer/window-around.ts'

describe('reading a source', () => {
  it('of the gateway with pages, places and scores', () => {
    const source = readSource(
      {
        source: { id: 'f1', name: 'Lease.pdf', type: 'file' },
        document: ['one', 'two'],
        metadata: [
          { file_id: 'f1', page: 3, start: 10, end: 13, score: 0.9 },
          { file_id: 'f1', page: 4, start: 20, end: 23, heading: ['Rent', 'Notice'] },
        ],
        distances: [0.9, 0.5],
      },
      'Source 1',
    )
    expect(source).toMatchObject({
      name: 'Lease.pdf',
      fileId: 'f1',
      passages: [
        { page: 3, start: 10, score: 0.9 },
        { page: 4, score: 0.5 },
      ],
    })
    expect(toPlace(source.passages)).toBe('pages 3, 4')
    expect(toPlace([{ ...source.passages[1]!, page: null }])).toBe('Notice')
  })

  it.each([
    [null],
    ['text'],
    [{}],
    [{ source: 5, document: 'x', metadata: {} }],
    [{ document: [1], metadata: [null] }],
  ])('%j does no harm', (value) => {
    expect(readSource(value, 'Source 1')).toMatchObject({ name: 'Source 1', fileId: null })
  })
})

it('a quote is one line without marks of layout', () => {
  const passage = {
    text: '## Notice\n\n**Three** months | 3\n# More',
    page: null,
    pageLabel: null,
    heading: [],
    start: null,
    end: null,
    score: null,
  }
  expect(toQuote(passage, 40)).toBe('Notice Three months 3 More')
})

describe('the part of a document that is shown', () => {
  const text = Array.from({ length: 2000 }, (_, line) => `line ${line}`).join('\n')

  it('holds the passage and whole lines around it', () => {
    const place = findPassage(text, 'line 1000', null, null)!
    const { start, end } = windowAround(text, place)
    expect(text.slice(place.start, place.end)).toBe('line 1000')
    expect(end - start).toBeLessThan(2 * STEP + 100)
    expect(text.slice(start, end)).toMatch(/^line \d+\n[^]*\nline \d+$/)
  })

  it('one line without end is cut', () => {
    const line = 'x'.repeat(100_000)
    const { start, end } = windowAround(line, { start: 50_000, end: 50_010 })
    expect(end - start).toBe(2 * STEP + 10)
  })

  it('a passage is found where it is said to be, else by its words, else not', () => {
    expect(findPassage('abc', 'b', 0, 2)).toEqual({ start: 0, end: 2 })
    expect(findPassage('abc', 'b', 50, 60)).toEqual({ start: 1, end: 2 })
    expect(findPassage('abc', 'z', null, null)).toBeNull()
    expect(findPassage('abc', '', null, null)).toBeNull()
  })
})

it('a text names a source only by a number there is one for', () => {
  expect(citesSource('So it is [2].', 2)).toBe(true)
  expect(citesSource('So it is [1, 7].', 2)).toBe(true)
  expect(citesSource('So it is [3] or [0].', 2)).toBe(false)
  expect(citesSource('Nothing here.', 2)).toBe(false)
})
