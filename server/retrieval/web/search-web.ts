import { z } from '#contract/lazy-zod.ts'
import type { SearchHit } from '#contract/retrieval.ts'
import { badRequest, ServiceError, timedOut, upstreamFailed } from '../../lib/errors.ts'
import type { GuardedFetch } from '../../lib/outgoing/guarded-fetch.ts'
import { ownValue } from '../../lib/json/own-value.ts'
import type { RetrievalSettings } from '../retrieval-settings.ts'

export interface SearchDependencies {
  readonly settings: RetrievalSettings
  /**
   * For the URL of the engine, which an administrator set and which may be in the local network.
   */
  readonly fetch: Pick<GuardedFetch, 'fetch'>
}

type Engine = (
  dependencies: SearchDependencies,
  query: string,
  count: number,
  signal: AbortSignal,
) => Promise<SearchHit[]>

const searxngSchema = z.object({
  results: z.array(
    z.object({ url: z.string(), title: z.string().nullish(), content: z.string().nullish() }),
  ),
})
const externalSchema = z.array(
  z.object({ link: z.string(), title: z.string().nullish(), snippet: z.string().nullish() }),
)

/** The person who searches chose no address, so the sentences about one would mislead. */
function toFault(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error
  if (error.status === 504)
    return timedOut('The search engine took too long to answer. Try again later.', { cause: error })
  if (error.status !== 502 || error.code === 'proxy_failed') return error
  return upstreamFailed(
    'The search engine cannot be reached. An administrator can check its address.',
    { cause: error },
  )
}

async function ask<Value>(
  fetch: SearchDependencies['fetch'],
  address: string,
  request: Parameters<GuardedFetch['fetch']>[1],
  { schema, signal }: { schema: z.ZodType<Value>; signal: AbortSignal },
): Promise<Value> {
  const reply = await fetch.fetch(address, request, signal).catch((error: unknown) => {
    throw toFault(error)
  })
  if (reply.status !== 200)
    throw upstreamFailed(
      `The search engine answered with the error ${reply.status}. An administrator can check its settings.`,
    )
  try {
    return schema.parse(JSON.parse(reply.bytes.toString('utf8')))
  } catch (cause) {
    throw upstreamFailed(
      'The search engine did not answer with results. An administrator can check its address.',
      { cause },
    )
  }
}

const requireAddress = (address: string): string => {
  if (address === '')
    throw badRequest(
      'No search engine is set up yet. An administrator can set one up in the settings.',
      { code: 'no_engine' },
    )
  return address
}

const ENGINES: Readonly<Record<string, Engine>> = {
  async searxng({ settings, fetch }, query, count, signal) {
    const address = new URL(
      requireAddress(settings.get('SEARXNG_QUERY_URL')).replaceAll('<query>', ''),
    )
    address.searchParams.set('q', query)
    address.searchParams.set('format', 'json')
    const { results } = await ask(
      fetch,
      address.href,
      { headers: { accept: 'application/json' } },
      { schema: searxngSchema, signal },
    )
    return results.slice(0, count).map(({ url, title, content }) => ({
      link: url,
      title: title ?? null,
      snippet: content ?? null,
    }))
  },
  async external({ settings, fetch }, query, count, signal) {
    const key = settings.get('EXTERNAL_WEB_SEARCH_API_KEY')
    const headers = {
      accept: 'application/json',
      'content-type': 'application/json',
      ...(key !== '' && { authorization: `Bearer ${key}` }),
    }
    const request = { method: 'POST', headers, body: JSON.stringify({ query, count }) } as const
    const hits = await ask(
      fetch,
      requireAddress(settings.get('EXTERNAL_WEB_SEARCH_URL')),
      request,
      { schema: externalSchema, signal },
    )
    return hits
      .slice(0, count)
      .map(({ link, title, snippet }) => ({ link, title: title ?? null, snippet: snippet ?? null }))
  },
}

/** Setting of the URL of each engine. */
const ADDRESSES: Readonly<Record<string, 'SEARXNG_QUERY_URL' | 'EXTERNAL_WEB_SEARCH_URL'>> = {
  searxng: 'SEARXNG_QUERY_URL',
  external: 'EXTERNAL_WEB_SEARCH_URL',
}

/** Returns true if a search engine is configured. */
export function hasSearchEngine(settings: RetrievalSettings): boolean {
  const address = ownValue(ADDRESSES, settings.get('WEB_SEARCH_ENGINE'))
  return address !== undefined && settings.get(address) !== ''
}

/** Returns a host as URLs of any spelling name it: in ASCII and lower case, without the final dot. */
const toPlainHost = (host: string): string =>
  (URL.parse(`http://${host}`)?.hostname ?? host.toLowerCase()).replace(/\.$/, '')

const isWithin = (host: string, entry: string): boolean => {
  const domain = toPlainHost(entry)
  return host === domain || host.endsWith(`.${domain}`)
}

/**
 * Returns true if results of a URL are wanted: in a listed domain, if there are any, and never in
 * one listed with `!`.
 */
export function isWantedDomain(link: string, filters: readonly string[]): boolean {
  const hostname = URL.parse(link)?.hostname
  if (hostname === undefined) return false
  const host = hostname.replace(/\.$/, '')
  const refused = filters.filter((entry) => entry.startsWith('!')).map((entry) => entry.slice(1))
  const wanted = filters.filter((entry) => !entry.startsWith('!'))
  return (
    !refused.some((domain) => isWithin(host, domain)) &&
    (wanted.length === 0 || wanted.some((domain) => isWithin(host, domain)))
  )
}

/**
 * Returns the results of an engine for several queries, each page once. A failed query does not
 * affect the others; if all fail, the first error is thrown.
 */
export async function searchWeb(
  dependencies: SearchDependencies,
  queries: readonly string[],
  signal: AbortSignal,
): Promise<SearchHit[]> {
  const { settings } = dependencies
  const engine = ownValue(ENGINES, settings.get('WEB_SEARCH_ENGINE'))
  if (!engine) requireAddress('')
  const count = settings.get('WEB_SEARCH_RESULT_COUNT')
  const found = await Promise.allSettled(
    queries.map((query) => engine!(dependencies, query, count, signal)),
  )
  const failed = found.find((each) => each.status === 'rejected')
  if (failed && found.every(({ status }) => status === 'rejected')) throw failed.reason
  for (const each of found)
    if (each.status === 'rejected' && !(each.reason instanceof ServiceError)) throw each.reason
  const hits = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  const byLink = new Map(
    hits
      .filter(({ link }) => isWantedDomain(link, settings.get('WEB_SEARCH_DOMAIN_FILTER_LIST')))
      .map((hit) => [hit.link, hit]),
  )
  return [...byLink.values()]
}
