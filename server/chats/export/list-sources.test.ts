import { expect, it } from 'vitest'
import { listSources } from './list-sources.ts'

const row = (extra: unknown) => ({ extra: JSON.stringify(extra) })

it('names sources in the order of their numbers, with pages where they are known', () => {
  const sources = [
    {
      source: { name: 'Lease\nof the bakery' },
      document: ['x', 'y'],
      metadata: [{ page: 3 }, { page: 3, page_label: 'iv' }],
    },
    { source: { url: 'https://a.example/' }, metadata: [{}] },
    'no source at all',
  ]
  expect(listSources(row({ sources }))).toBe(
    '\n**Sources**\n\n1. Lease of the bakery, pages 3, iv\n2. https://a.example/\n3. Source 3\n',
  )
})

it('says nothing of an answer without sources', () => {
  for (const extra of [{}, { sources: [] }, { sources: 'x' }, null])
    expect(listSources(row(extra))).toBe('')
})
