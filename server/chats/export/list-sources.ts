import type { MessageRow } from '../chat-rows.ts'
import type { Fields } from '../../lib/is-record.ts'

const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}
const toText = (value: unknown): string =>
  typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : ''

function nameOf(value: unknown, place: number): string {
  const outer = toFields(value)
  const source = toFields(outer['source'])
  return (
    toText(source['name']) ||
    toText(source['title']) ||
    toText(source['url']) ||
    `Source ${place}`
  ).slice(0, 200)
}

function pagesOf(value: unknown): string {
  const metadata: unknown = toFields(value)['metadata']
  const rows = Array.isArray(metadata) ? metadata.map(toFields) : []
  const pages = rows.map(
    (row) =>
      toText(row['page_label']) || (typeof row['page'] === 'number' ? String(row['page']) : ''),
  )
  const named = [...new Set(pages.filter((page) => page !== ''))]
  return named.length === 0 ? '' : `, ${named.length === 1 ? 'page' : 'pages'} ${named.join(', ')}`
}

/**
 * Returns the sources of an answer as a numbered list, in the order in which the text cites them;
 * empty if there are none.
 */
export function listSources({ extra }: Pick<MessageRow, 'extra'>): string {
  const { sources }: { sources?: unknown } = toFields(JSON.parse(extra))
  if (!Array.isArray(sources) || sources.length === 0) return ''
  return `\n**Sources**\n\n${sources.map((source, index) => `${index + 1}. ${nameOf(source, index + 1)}${pagesOf(source)}\n`).join('')}`
}
