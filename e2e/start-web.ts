import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A small web on this computer: a SearXNG-like search engine, and the pages it finds. */
export interface StartedWeb {
  /** Environment variables for a gateway that searches it. */
  readonly variables: Readonly<Record<string, string>>
  /** Search queries received. */
  readonly queries: readonly string[]
  /** Lets the engine reply, if it was started holding back its replies. */
  answer(): void
  stop(): void
}

const page = (title: string): string =>
  `<!doctype html><title>${title}</title><article><h1>${title}</h1><p>${`The ${title} is cleaned with warm water twice a year. `.repeat(8)}</p></article>`

export async function startWeb({ holdsBack = false } = {}): Promise<StartedWeb> {
  const queries: string[] = []
  const gate = Promise.withResolvers<void>()
  if (!holdsBack) gate.resolve()
  const server = createServer((request, response) => {
    const { pathname, searchParams, origin } = new URL(
      request.url ?? '/',
      `http://${request.headers.host}`,
    )
    if (pathname !== '/search') {
      response
        .setHeader('content-type', 'text/html')
        .end(page(pathname === '/pump' ? 'Espresso pump' : 'Water kettle'))
      return
    }
    queries.push(searchParams.get('q') ?? '')
    const results = ['pump', 'kettle'].map((name) => ({
      url: `${origin}/${name}`,
      title: name,
      content: name,
    }))
    void gate.promise.then(() =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ results })),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    variables: {
      ENABLE_WEB_SEARCH: 'true',
      WEB_SEARCH_ENGINE: 'searxng',
      SEARXNG_QUERY_URL: `http://${host}/search`,
      WEB_FETCH_ALLOWED_HOSTS: host,
      ENABLE_SEARCH_QUERY_GENERATION: 'false',
    },
    queries,
    answer: () => gate.resolve(),
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
