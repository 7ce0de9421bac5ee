import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ExtractedDocument } from '../extraction/index.ts'
import { createTokenCounter } from './count-tokens.ts'
import { splitDocument } from './split-document.ts'
import type { SplitOptions } from './split-options.ts'

const count = await createTokenCounter()
const options: SplitOptions = { size: 60, overlap: 15, minimum: 12, breakAtHeadings: true, count }
type Source = Pick<ExtractedDocument, 'text' | 'format' | 'pages'>
const source = (text: string, more: Partial<Source> = {}): Source => ({
  text,
  format: 'markdown',
  pages: [],
  ...more,
})
const split = (document: Source, more: Partial<SplitOptions> = {}) =>
  [...splitDocument(document, { ...options, ...more })].map((chunk) => ({
    ...chunk,
    text: document.text.slice(chunk.start, chunk.end),
  }))

const sentences = (number: number, word = 'river') =>
  Array.from(
    { length: number },
    (_, place) => `Sentence ${place} tells what the ${word} does in spring.`,
  ).join(' ')

describe('cutting a document', () => {
  it('begins a chunk at a heading and knows the path of headings', () => {
    const chunks = split(
      source(`# Guide\n\nIntro.\n\n## Care\n\n${sentences(4)}\n\n## Repair\n\n${sentences(4)}\n`),
    )
    expect(chunks.map(({ heading }) => heading)).toEqual([['Guide'], ['Guide', 'Repair']])
    expect(chunks[1]!.text.startsWith('## Repair')).toBe(true)
  })

  it('leaves no heading alone at the end of a chunk', () => {
    for (const chunk of split(source(`${sentences(4)}\n\n# Next\n\n${sentences(6)}`), {
      breakAtHeadings: false,
    }))
      expect(chunk.text.trimEnd()).not.toMatch(/# Next$/)
  })

  it('repeats the header of a table that goes on, and cuts between rows', () => {
    const header = '| Name | Price |\n| --- | --- |\n'
    const rows = Array.from({ length: 40 }, (_, row) => `| Article ${row} | ${row * 3} |\n`).join(
      '',
    )
    const chunks = split(source(header + rows))
    expect(chunks.length).toBeGreaterThan(3)
    expect(chunks[0]!.preface).toBe('')
    for (const chunk of chunks.slice(1)) {
      expect(chunk.preface).toBe(header.trimEnd())
      expect(chunk.text).toMatch(/^\| Article \d+ \|[^]*\|\n$/)
    }
  })

  it('takes the first row of a sheet of values as its header', () => {
    const text = `city,people\n${Array.from({ length: 60 }, (_, row) => `Town ${row},${row * 1000}\n`).join('')}`
    const chunks = split(source(text, { format: 'table' }))
    expect(chunks[1]!.preface).toBe('city,people')
  })

  it('keeps code in fences together as lines, and repeats some of them', () => {
    const code = Array.from(
      { length: 30 },
      (_, line) => `const value${line} = compute(${line})\n`,
    ).join('')
    const chunks = split(source(`Text before.\n\n\`\`\`ts\n${code}\`\`\`\n`))
    for (const chunk of chunks.slice(1)) expect(chunk.text).toMatch(/^const value\d+ = |^```/)
    expect(chunks.some((chunk, place) => place > 0 && chunk.start < chunks[place - 1]!.end)).toBe(
      true,
    )
  })

  it('never crosses a page and knows its number and label', () => {
    const first = `${sentences(2)}\n\n`
    const text = `${first}${sentences(3)}`
    const pages = [
      { number: 1, label: 'Slide 1', start: 0, end: first.length - 2 },
      { number: 2, label: null, start: first.length, end: text.length },
    ]
    const chunks = split(source(text, { format: 'text', pages }), { minimum: 40 })
    expect(new Set(chunks.map(({ page, page_label }) => `${page} ${page_label}`))).toEqual(
      new Set(['1 Slide 1', '2 null']),
    )
    for (const chunk of chunks)
      expect(chunk.end <= first.length || chunk.start >= first.length).toBe(true)
  })

  it('cuts between sentences, also in scripts without spaces', () => {
    const text = '春になると川の水が増えます。'.repeat(40)
    const chunks = split(source(text, { format: 'text' }))
    expect(chunks.length).toBeGreaterThan(3)
    for (const chunk of chunks) expect(chunk.text.endsWith('。')).toBe(true)
  })

  it('cuts a text without any border in time, and within no character', () => {
    const chunks = split(source('👩‍👩‍👧é'.repeat(4000), { format: 'text' }))
    for (const chunk of chunks) expect(chunk.text.isWellFormed()).toBe(true)
    expect(split(source('x'.repeat(200_000), { format: 'text' })).length).toBeGreaterThan(100)
  })

  it('counts words that look like control tokens as text', () => {
    expect(count('<|endoftext|>')).toBeGreaterThan(2)
  })

  it('finds nothing in white space', () => {
    expect(split(source(' \n\n \t\n'))).toEqual([])
  })

  it('covers any document exactly, within the size', () => {
    const piece = fc.constantFrom(
      '# Head\n',
      '\n',
      '\n\n',
      '- item one\n',
      '| a | b |\n',
      '| - | - |\n',
      '```\n',
      'Word. ',
      'weiß 漢字。',
      '😀',
      'long'.repeat(30),
      '  ',
      '<|endoftext|>',
    )
    const text = fc
      .array(fc.oneof(piece, fc.string({ unit: 'grapheme' })), { maxLength: 120 })
      .map((parts) => parts.join(''))
    const format = fc.constantFrom('markdown', 'text', 'code', 'table') as fc.Arbitrary<
      Source['format']
    >
    fc.assert(
      fc.property(
        text,
        format,
        fc.boolean(),
        fc.array(fc.nat(400), { maxLength: 4 }),
        (content, kind, breakAtHeadings, borders) => {
          const places = [...new Set(borders.map((place) => Math.min(place, content.length)))].sort(
            (a, b) => a - b,
          )
          const pages = places.map((start, place) => ({
            number: place + 1,
            label: null,
            start,
            end: places[place + 1] ?? content.length,
          }))
          const document = source(content, { format: kind, pages })
          const chunks = split(document, { breakAtHeadings })
          let end = 0
          for (const chunk of chunks) {
            expect(chunk.start <= end || content.slice(end, chunk.start).trim() === '').toBe(true)
            expect(chunk.end).toBeGreaterThan(end)
            expect(chunk.tokens).toBeLessThanOrEqual(options.size)
            expect(chunk.text.trim()).not.toBe('')
            end = chunk.end
          }
          expect(content.slice(end).trim()).toBe('')
        },
      ),
      { numRuns: 400 },
    )
  })
})
