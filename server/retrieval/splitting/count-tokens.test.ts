import { readFileSync } from 'node:fs'
import path from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { createTokenCounter } from './count-tokens.ts'
import { StretchCounts } from './stretch-counts.ts'
import { createStretchReader } from './stretches.ts'

const count = await createTokenCounter()
const options = { disallowedSpecial: new Set<string>() }

const TEXTS: Record<string, string> = {
  code: readFileSync(path.join(import.meta.dirname, 'pack-chunks.ts'), 'utf8'),
  German:
    'Die Gebühren für das Öffnen über Nacht betragen 1.250,50 € – zahlbar binnen 14 Tagen. '.repeat(
      20,
    ),
  Russian: 'Пчёлы собирают нектар с цветов липы, а зимой почти не летают. '.repeat(20),
  Chinese: '京都的寺院在早上六点开门，需要提前预约。'.repeat(20),
  table: '| Name | Preis |\n| --- | ---: |\n| Schraube M4 | 0,12 |\n'.repeat(40),
}

describe('counting tokens', () => {
  it.each(Object.entries(TEXTS))('comes within two in a hundred of encoding: %s', (_, text) => {
    const exact = countTokens(text, options)
    for (const counted of [count(text), count(text)])
      expect(Math.abs(counted - exact) / exact).toBeLessThan(0.02)
  })

  it('takes any text, and counts nothing in none', () => {
    expect(count('')).toBe(0)
    for (const text of [
      '\ud800',
      '😀😀',
      '\0',
      '<|endoftext|>',
      ' ',
      '\r\n\r\n',
      '-'.repeat(500),
      'x'.repeat(500),
    ])
      expect(count(text)).toBeGreaterThan(0)
  })

  it('reads stretches that follow each other without a gap', () => {
    const reader = createStretchReader()
    const text = Object.values(TEXTS).join('\n\n  ')
    const stretches: string[] = []
    for (let start = 0; start < text.length; start = reader.end) {
      reader.read(text, start)
      expect(reader.end).toBeGreaterThan(start)
      stretches.push(text.slice(start, reader.end))
    }
    expect(stretches.join('')).toBe(text)
    expect(stretches).toContain(' Nacht')
  })

  it('remembers counts until there are too many', () => {
    const known = new StretchCounts()
    for (let hash = 1; hash <= 150_000; hash += 1) known.set(hash, -hash, (hash % 9) + 1)
    expect(known.get(77, -77)).toBe((77 % 9) + 1)
    expect(known.get(77, 1)).toBe(0)
    known.set(5_000_000, 3, 4)
    expect(known.get(77, -77)).toBe(0)
    expect(known.get(5_000_000, 3)).toBe(4)
  })
})
