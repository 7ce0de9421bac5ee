import { mapInOrder } from '../../lib/in-order.ts'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { INSIDE_SPELLINGS } from '../../testing/inside-spellings.ts'
import { startLibrary, startSite } from '../../testing/start-library.ts'

const PAGE = `<!doctype html><html><head><title>Cleaning the pump</title><meta charset="utf-8"><link rel="stylesheet" href="/style.css">
<script src="/script.js"></script><style>@import '/more.css'</style></head><body><nav><a href="/">Home</a></nav><article><h1>Cleaning the pump</h1>
<p>Once a week the pump is rinsed with warm water and vinegar, so that lime has no chance to settle in it over the months.</p>
<p>Afterwards the filter is taken out and left to dry in the shade. It must never be put back while it is wet, because it would swell.</p>
<img src="/picture.png"><iframe src="/frame.html"></iframe><object data="/object.bin"></object></article></body></html>`
const generated = (source: string) => createHash('sha256').update(source).digest('hex').slice(0, 63)
const html =
  (body: string): RequestListener =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body)

async function startBoth(body = PAGE) {
  const site = await startSite(html(body))
  const library = await startLibrary({ WEB_FETCH_ALLOWED_HOSTS: site.host })
  const ask = (
    name: 'owner' | 'other' | 'admin',
    collection_name: string,
    query = 'cleaning the pump',
  ) => library.call(name, 'retrieval/query/doc', { body: { collection_name, query, k: 10 } })
  return { site, library, ask }
}

describe('web pages', () => {
  it('are fetched in one request and found under a name made from their address', async () => {
    const { site, library, ask } = await startBoth()
    const reply = await library.call('owner', 'retrieval/process/web', {
      body: { url: `${site.url}/pump` },
    })
    expect(reply.body).toMatchObject({
      status: true,
      collection_name: generated(`${site.url}/pump`),
      filename: 'Cleaning the pump',
      file: {
        data: { content: expect.stringContaining('warm water') },
        meta: { name: 'Cleaning the pump', source: `${site.url}/pump` },
      },
    })
    expect(reply.body.file.data.content).not.toMatch(/script\.js|Home/)
    expect(site.requests).toEqual(['GET /pump'])
    const found = await ask('owner', reply.body.collection_name)
    expect(found.body.documents[0][0]).toContain('warm water')
    expect(found.body.metadatas[0][0]).toMatchObject({
      name: 'Cleaning the pump',
      score: expect.any(Number),
    })
    expect(found.body.distances[0]).toHaveLength(found.body.documents[0].length)
    expect((await ask('other', reply.body.collection_name)).status).toBe(404)
    expect((await ask('admin', reply.body.collection_name)).status).toBe(404)
  })

  it('are only read with process=false', async () => {
    const { site, library } = await startBoth()
    const reply = await library.call('owner', 'retrieval/process/web?process=false', {
      body: { url: site.url, collection_name: 'unused' },
    })
    expect(reply.body).toMatchObject({
      status: true,
      collection_name: null,
      content: expect.stringContaining('warm water'),
    })
    expect(
      await library.server.context.knowledge.collections.resolve(
        { userId: library.ids.owner, role: 'user' },
        'unused',
        'read',
      ),
    ).toBeNull()
  })

  it('replace what a collection held, or are added to it', async () => {
    const { site, library, ask } = await startBoth()
    const put = (path: string, query = '') =>
      library.call('owner', `retrieval/process/web${query}`, {
        body: { url: site.url + path, collection_name: 'pages' },
      })
    await put('/a')
    await put('/b', '?overwrite=false')
    expect((await ask('owner', 'pages')).body.documents[0].length).toBeGreaterThan(0)
    const scope = (
      await library.server.context.knowledge.collections.require(
        { userId: library.ids.owner, role: 'user' },
        'pages',
        'read',
      )
    ).scope
    const documents = () => library.server.context.retrieval.collections.documents(scope)
    expect(await documents()).toHaveLength(2)
    const before = await documents()
    await put('/c')
    expect(await documents()).toHaveLength(1)
    expect(before).not.toContain((await documents())[0])
  })

  it('become files of a collection of files, once for each address', async () => {
    const { site, library, ask } = await startBoth()
    const id = await library.createKnowledge('owner')
    const put = () =>
      library.call('owner', 'retrieval/process/web', {
        body: { url: `${site.url}/pump`, collection_name: id },
      })
    expect((await put()).body.collection_name).toBe(id)
    await put()
    const { body } = await library.call('owner', `knowledge/${id}`)
    expect(body.files).toMatchObject([
      { filename: 'Cleaning the pump.md', meta: { data: { source: `${site.url}/pump` } } },
    ])
    expect((await ask('owner', id)).body.documents[0][0]).toContain('warm water')
  })

  it('of two people with one address do not meet', async () => {
    const { site, library, ask } = await startBoth()
    const name = generated(site.url)
    await library.call('owner', 'retrieval/process/web', { body: { url: site.url } })
    expect((await ask('other', name)).status).toBe(404)
    expect(
      (await library.call('other', 'retrieval/process/web', { body: { url: site.url } })).body
        .collection_name,
    ).toBe(name)
    const scopes = await mapInOrder(
      ['owner', 'other'] as const,
      async (who) =>
        (
          await library.server.context.knowledge.collections.resolve(
            { userId: library.ids[who], role: 'user' },
            name,
            'read',
          )
        )?.scope,
    )
    expect(new Set(scopes).size).toBe(2)
  })

  it('may be documents, and say what is wrong with them', async () => {
    const pdf = readFileSync(
      new URL('../extraction/fixtures/', import.meta.url).pathname + 'report.pdf',
    )
    const site = await startSite((request, response) => {
      if (request.url === '/doc.pdf')
        response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf)
      else if (request.url === '/text')
        response
          .writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' })
          .end(Buffer.from('Grüße aus Zürich', 'latin1'))
      else if (request.url === '/film')
        response.writeHead(200, { 'content-type': 'video/mp4' }).end('film')
      else if (request.url === '/empty')
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<html><body><script>1</script></body></html>')
      else if (request.url === '/broken') response.writeHead(503).end()
      else response.writeHead(404).end()
    })
    const library = await startLibrary({ WEB_FETCH_ALLOWED_HOSTS: site.host })
    const read = (path: string) =>
      library.call('owner', 'retrieval/process/web?process=false', {
        body: { url: site.url + path },
      })
    expect((await read('/doc.pdf')).body.content.length).toBeGreaterThan(10)
    expect((await read('/text')).body.content).toContain('Grüße')
    expect((await read('/film')).status).toBe(400)
    expect((await read('/empty')).status).toBe(422)
    expect((await read('/missing')).body.detail).toContain('404')
    expect((await read('/broken')).status).toBe(502)
    expect(
      (
        await library.call('owner', 'retrieval/process/youtube', {
          body: { url: `${site.url}/text` },
        })
      ).status,
    ).toBe(200)
  })

  it('inside the own network are refused, whatever they look like, and nobody there hears of it (rows 1 to 5)', async () => {
    const canary = await startSite((_, response) => response.end('canary'))
    const redirecting = await startSite((_, response) =>
      response.writeHead(302, { location: canary.url }).end(),
    )
    const library = await startLibrary({ WEB_FETCH_ALLOWED_HOSTS: redirecting.host })
    const port = canary.host.split(':')[1]
    for (const spelling of INSIDE_SPELLINGS) {
      const reply = await library.call('owner', 'retrieval/process/web', {
        body: { url: `http://${spelling}:${port}/` },
      })
      expect([400, 422], spelling).toContain(reply.status)
    }
    expect(
      (await library.call('owner', 'retrieval/process/web', { body: { url: redirecting.url } }))
        .status,
    ).toBe(400)
    expect(redirecting.requests).toHaveLength(1)
    expect(canary.requests).toEqual([])
    const body = { url: canary.url, collection_name: 'never-made' }
    expect((await library.call('owner', 'retrieval/process/web', { body })).status).toBe(400)
    expect(
      (
        await library.call('owner', 'retrieval/query/doc', {
          body: { collection_name: 'never-made', query: 'x' },
        })
      ).status,
    ).toBe(404)
  })
})

describe('web search', () => {
  it('asks the engine of the administrator, reads what is found and makes it findable', async () => {
    const pages = await startSite(html(PAGE))
    const engine = await startSite((request, response) => {
      const isSearxng = request.method === 'GET'
      const results = [
        { url: `${pages.url}/a`, title: 'A', content: 'Snippet' },
        { url: 'http://127.0.0.1:9/inside', title: 'B', content: 'x' },
      ]
      const links = results.map(({ url, title, content }) => ({
        link: url,
        title,
        snippet: content,
      }))
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify(isSearxng ? { results } : links))
    })
    const library = await startLibrary({ WEB_FETCH_ALLOWED_HOSTS: pages.host })
    const search = () =>
      library.call('owner', 'retrieval/process/web/search', { body: { queries: ['clean pump'] } })
    expect((await search()).status).toBe(403)
    const { settings } = library.server.context
    await settings.update({ ENABLE_WEB_SEARCH: true })
    expect((await search()).status).toBe(400)
    await settings.update({
      WEB_SEARCH_ENGINE: 'searxng',
      SEARXNG_QUERY_URL: `${engine.url}/search`,
    })
    const reply = await search()
    expect(reply.body).toMatchObject({
      status: true,
      loaded_count: 1,
      filenames: [`${pages.url}/a`],
    })
    expect(engine.requests).toEqual(['GET /search?q=clean+pump&format=json'])
    const found = await library.call('owner', 'retrieval/query/doc', {
      body: { collection_name: reply.body.collection_name, query: 'clean pump' },
    })
    expect(found.body.documents[0][0]).toContain('warm water')
    expect(
      (
        await library.call('other', 'retrieval/query/doc', {
          body: { collection_name: reply.body.collection_name, query: 'x' },
        })
      ).status,
    ).toBe(404)
    await settings.update({
      WEB_SEARCH_ENGINE: 'external',
      EXTERNAL_WEB_SEARCH_URL: engine.url,
      BYPASS_WEB_SEARCH_EMBEDDING_AND_RETRIEVAL: true,
      BYPASS_WEB_SEARCH_WEB_LOADER: true,
    })
    expect((await search()).body).toMatchObject({
      collection_name: null,
      loaded_count: 2,
      docs: [{ content: 'Snippet' }, { content: 'x' }],
    })
    await settings.update({ WEB_SEARCH_DOMAIN_FILTER_LIST: ['example.org'] })
    expect((await search()).status).toBe(404)
  })
})
