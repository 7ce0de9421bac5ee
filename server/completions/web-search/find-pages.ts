import type { SearchHit } from '#contract/retrieval.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { Exchange } from '../exchange.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import type { Library, WebPage } from '../sources/library.ts'
import type { WholeText } from '../sources/readings.ts'

/** Pages found by a search, as texts. */
export interface FoundPages {
  readonly hits: readonly SearchHit[]
  /** Pages in the order of the hits; unreadable ones are left out. */
  readonly pages: readonly WebPage[]
}

interface Search {
  readonly library: Library
  readonly exchange: Exchange
  readonly queries: readonly string[]
  /** Called when the engine has answered, before the pages are read. */
  readonly onHits: (hits: readonly SearchHit[]) => void
}

/**
 * Queries the search engine and reads the pages it returns; if pages are not opened, uses only the
 * engine's own snippets.
 */
export async function findPages(
  { settings }: CompletionsParts,
  { library, exchange, queries, onHits }: Search,
): Promise<FoundPages> {
  const { signal } = exchange
  const hits = await exchange.share(JSON.stringify(['web search', queries]), signal, () =>
    library.searchWeb(queries, signal),
  )
  if (hits.length === 0) return { hits, pages: [] }
  if (settings.get('BYPASS_WEB_SEARCH_WEB_LOADER'))
    return { hits, pages: hits.flatMap(fromSnippet) }
  onHits(hits)
  const atOnce = settings.get('WEB_LOADER_CONCURRENT_REQUESTS')
  const read = () => readAll(library, hits, { atOnce, signal })
  return { hits, pages: await exchange.share(JSON.stringify(['web pages', queries]), signal, read) }
}

const fromSnippet = ({ link, title, snippet }: SearchHit): WebPage[] =>
  snippet === null || snippet.trim() === '' ? [] : [{ url: link, title, text: snippet }]

async function readAll(
  library: Library,
  hits: readonly SearchHit[],
  { atOnce, signal }: { atOnce: number; signal: AbortSignal },
): Promise<WebPage[]> {
  const pages: (WebPage | null)[] = hits.map(() => null)
  const waiting = [...hits.entries()]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [place, { link, title }] = next
      try {
        const page = await library.readPage(link, signal)
        pages[place] = { ...page, title: page.title ?? title }
      } catch (error) {
        // A site that is unreachable, forbidden or has no text does not affect the others.
        if (!(error instanceof ServiceError) || signal.aborted) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, hits.length) }, work))
  return pages.filter((page) => page !== null)
}

/** Converts a page into a text that can be read as a whole, and cited. */
export const toWholeText = ({ url, title, text }: WebPage): WholeText => ({
  source: { id: url, name: title ?? url, type: 'url', url },
  length: text.length,
  read: async () => text,
  fileId: null,
})
