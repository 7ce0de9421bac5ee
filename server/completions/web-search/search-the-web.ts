import { mapInOrder } from '../../lib/in-order.ts'
import type { ChatCompletionRequest, Source } from '#contract/completions.ts'
import type { Status } from '#contract/events.ts'
import type { SearchHit } from '#contract/retrieval.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { Exchange } from '../exchange.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { budgetOf, cutToFit } from '../sources/choose-whole.ts'
import type { Library, WebPage } from '../sources/library.ts'
import { searchWithLoose, toLooseId } from '../sources/search-loose.ts'
import { toPassageSources, toWholeSource } from '../sources/to-sources.ts'
import { askForQueries, toPlainQueries } from '../sources/write-queries.ts'
import { findPages, toWholeText } from './find-pages.ts'

interface WebSearch {
  readonly parts: CompletionsParts
  readonly library: Library
  readonly exchange: Exchange
  readonly request: ChatCompletionRequest
}

/**
 * Resolves with true if the web is to be searched for an answer: requested by the request or a
 * filter, switched on, and permitted.
 */
export async function isWebSearched(
  { settings, groups, library }: CompletionsParts,
  { caller }: Exchange,
  { features }: ChatCompletionRequest,
): Promise<boolean> {
  if (!library || !features?.['web_search'] || !settings.get('ENABLE_WEB_SEARCH')) return false
  return caller.role === 'admin' || (await groups.allows(caller, 'features.web_search'))
}

const DONE = { done: true } as const

/**
 * Searches the web for the last question and adds the results to the sources. A failure is reported
 * in the status line, which always ends; the model then answers without results.
 */
export async function searchTheWeb(search: WebSearch): Promise<void> {
  const { parts, exchange } = search
  const tell = (data: Omit<Status, 'action'>): void =>
    exchange.tell({ type: 'status', data: { action: 'web_search', ...data } })
  tell({ description: 'Searching the web…', done: false })
  try {
    const queries = await chooseQueries(search)
    if (queries.length === 0)
      return tell({ ...DONE, description: 'Nothing had to be looked up on the web.' })
    await searchFor(search, queries, tell)
  } catch (error) {
    if (exchange.signal.aborted || !(error instanceof ServiceError)) {
      tell({ ...DONE, description: 'The search of the web was ended.' })
      throw error
    }
    parts.log.info({ error }, 'the web could not be searched; the model answers without it')
    tell({
      ...DONE,
      error: true,
      description: `${error.message} The model answers without the web.`,
    })
  }
}

/**
 * Returns the queries of the task model, otherwise the question itself; none if the model says that
 * no search is needed.
 */
async function chooseQueries({
  parts,
  exchange,
  request: { messages },
}: WebSearch): Promise<string[]> {
  // A short question is not specific enough without the previous one.
  const question = toPlainQueries(messages).at(-1)
  if (question === undefined) return []
  if (!parts.settings.get('ENABLE_SEARCH_QUERY_GENERATION')) return [question]
  const wanted = { messages, type: 'web_search', question } as const
  const { signal } = exchange
  const queries = await exchange.share(`web queries ${question}`, signal, () =>
    askForQueries(parts, exchange, wanted),
  )
  return queries ?? [question]
}

async function searchFor(
  search: WebSearch,
  queries: readonly string[],
  tell: (data: Omit<Status, 'action'> & Partial<Pick<Status, 'action'>>) => void,
): Promise<void> {
  const { parts, library, exchange } = search
  const searching = { action: 'web_search_queries_generated', queries, done: true } as const
  tell({
    ...searching,
    description: queries.length === 1 ? 'Worded a search.' : `Worded ${queries.length} searches.`,
  })
  tell({ description: 'Searching the web…', queries, done: false })
  const onHits = (hits: readonly SearchHit[]): void =>
    tell({
      description: hits.length === 1 ? 'Reading one page…' : `Reading ${hits.length} pages…`,
      queries,
      urls: hits.map(({ link }) => link),
      done: false,
    })
  const { hits, pages } = await findPages(parts, { library, exchange, queries, onHits })
  const urls = pages.map(({ url }) => url)
  const items = pages.map(({ url, title }) => ({ link: url, title }))
  const end = { ...DONE, queries, urls, items, count: pages.length }
  if (hits.length === 0)
    return tell({ ...end, error: true, description: 'The search of the web found nothing.' })
  if (pages.length === 0)
    return tell({
      ...end,
      error: true,
      description: 'None of the pages that were found could be read.',
    })
  exchange.addSources(await readPages(search, queries, pages))
  const description =
    pages.length === 1 ? 'Read one page of the web.' : `Read ${pages.length} pages of the web.`
  tell({ ...end, description })
}

/**
 * Returns the parts of the pages for the model: passages that fit the queries, or as much of each
 * page as fits.
 */
async function readPages(
  { parts, library, exchange }: WebSearch,
  queries: readonly string[],
  pages: readonly WebPage[],
): Promise<Source[]> {
  const { settings } = parts
  const { signal } = exchange
  const texts = pages.map(toWholeText)
  const budget = budgetOf(exchange.resolved)
  const cut = async (room: number): Promise<Source[]> => {
    const reading = { isFull: true, collections: [], files: [], texts: async () => texts }
    return await mapInOrder(await cutToFit(library, [reading], room), toWholeSource)
  }
  const isWhole =
    settings.get('BYPASS_WEB_SEARCH_EMBEDDING_AND_RETRIEVAL') ||
    settings.get('BYPASS_EMBEDDING_AND_RETRIEVAL') ||
    settings.get('BYPASS_WEB_SEARCH_WEB_LOADER')
  if (isWhole) return cut(budget)
  const wanted = { texts: queries, collections: [], tokenBudget: Math.floor(budget / 2) }
  const find = () => searchWithLoose(library, wanted, texts, signal)
  const passages = await exchange.share(JSON.stringify(['web passages', wanted]), signal, find)
  // A passage search without results must not discard the pages the engine found.
  if (passages.length === 0) return cut(Math.floor(budget / 4))
  return toPassageSources(
    passages,
    async ({ document_id: id }) =>
      texts[texts.findIndex((_, index) => toLooseId(index) === id)]!.source,
  )
}
