import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { INSIDE_SPELLINGS } from '../testing/inside-spellings.ts'
import { startLibrary, startSite } from '../testing/start-library.ts'

const PAGE = `<!doctype html><html><head><title>Cleaning the pump</title><meta charset="utf-8"><link rel="stylesheet" href="/style.css">
<script src="/script.js"></script><style>@import '/more.css'</style></head><body><nav><a href="/">Home</a></nav><article><h1>Cleaning the pump</h1>
<p>Once a week the pump is rinsed with warm water and vinegar, so that lime has no chance to settle in it over the months.</p>
<p>Afterwards the filter is taken out and left to dry in the shade. It must never be put back while it is wet, because it would swell.</p>
<img src="/picture.png"><iframe src="/frame.html"></iframe><object data="/object.bin"></object></article></body></html>`
const generated = (source: string, length = 63) =>
  createHash('sha256').update(source).digest('hex').slice(0, length)
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
      library.server.context.knowledge.collections.resolve(
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
    const scope = library.server.context.knowledge.collections.require(
      { userId: library.ids.owner, role: 'user' },
      'pages',
      'read',
    ).scope
    const documents = () => library.server.context.retrieval.collections.documents(scope)
    expect(documents()).toHaveLength(2)
    const before = documents()
    await put('/c')
    expect(documents()).toHaveLength(1)
    expect(before).not.toContain(documents()[0])
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
    const scopes = (['owner', 'other'] as const).map(
      (who) =>
        library.server.context.knowledge.collections.resolve(
          { userId: library.ids[who], role: 'user' },
          name,
          'read',
        )?.scope,
    )
    expect(new Set(scopes).size).toBe(2)
  })

  it('may be documents, and say what is wrong with them', async () => {
    const pdf = readFileSync(
      new URL('extraction/fixtures/', import.meta.url).pathname + 'report.pdf',
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

describe('texts', () => {
  it('are found under a name of their own, of the person who put them there', async () => {
    const library = await startLibrary()
    const put = (name: 'owner' | 'other', content: string, collection_name?: string) =>
      library.call(name, 'retrieval/process/text', {
        body: { name: 'House rules', content, collection_name },
      })
    expect((await put('owner', 'Quiet after ten.', 'house')).body).toMatchObject({
      status: true,
      collection_name: 'house',
      content: 'Quiet after ten.',
    })
    await put('owner', 'Bicycles stand in the yard.', 'house')
    const ask = (name: 'owner' | 'other') =>
      library.call(name, 'retrieval/query/collection', {
        body: { collection_names: ['house'], query: 'bicycles yard', k: 5 },
      })
    expect((await ask('owner')).body.documents[0].join()).toContain('Bicycles')
    expect((await ask('other')).status).toBe(404)
    expect((await put('other', 'Mine', 'house')).status).toBe(404)
    expect((await put('owner', '  ', 'house')).status).toBe(400)
    expect((await put('owner', 'Without a name')).body.collection_name).toBe(
      generated('Without a name', 64),
    )
    for (const name of [
      'file-1',
      'knowledge-bases',
      'user-memory-1',
      'web-search-1',
      'owned-1',
      'OWNED-1',
    ]) {
      expect((await put('owner', 'x', name)).status, name).toBe(404)
    }
  })
})

describe('files', () => {
  it('are read on demand, get another text, and go into collections in a batch', async () => {
    const library = await startLibrary()
    const content = { bytes: Buffer.from('The first text.') }
    const { id: fileId } = await library.server.context.files.create(
      library.ids.owner,
      { filename: 'a.txt', contentType: null, content },
      { process: false, background: true },
    )
    const process = (body: object, name: 'owner' | 'other' = 'owner') =>
      library.call(name, 'retrieval/process/file', { body: { file_id: fileId, ...body } })
    expect((await process({})).body).toMatchObject({
      status: true,
      collection_name: `file-${fileId}`,
      filename: 'a.txt',
      content: 'The first text.',
    })
    expect((await process({ content: 'Another text.' })).body.content).toBe('Another text.')
    expect((await process({}, 'other')).status).toBe(404)
    const id = await library.createKnowledge('owner')
    const batch = await library.call('owner', 'retrieval/process/files/batch', {
      body: { files: [{ id: fileId }, 'nothing'], collection_name: id },
    })
    expect(batch.body).toMatchObject({
      results: [{ file_id: fileId, status: 'completed' }],
      errors: [{ file_id: 'nothing', status: 'failed' }],
    })
    expect((await library.call('owner', `knowledge/${id}`)).body.file_count).toBe(1)
    expect(
      (
        await library.call('admin', 'retrieval/delete', {
          body: { collection_name: id, file_id: fileId },
        })
      ).body,
    ).toEqual({
      status: true,
    })
    expect(library.server.context.retrieval.collections.documents(id)).toEqual([])
    expect((await library.call('admin', 'knowledge/metadata/reindex', { body: {} })).body).toEqual({
      total: expect.any(Number),
      success: expect.any(Number),
    })
    expect(library.server.context.retrieval.collections.documents(id)).toEqual([fileId])
  })

  it('and everything fetched go when an administrator resets', async () => {
    const library = await startLibrary()
    const fileId = await library.upload('owner', 'a.txt', 'Some text of a file.')
    await library.call('owner', 'retrieval/process/text', {
      body: { name: 'a', content: 'Some text.', collection_name: 'own' },
    })
    expect((await library.call('admin', 'retrieval/reset/db', { body: {} })).body).toBe(true)
    const ask = (collection_name: string) =>
      library.call('owner', 'retrieval/query/doc', { body: { collection_name, query: 'text' } })
    expect((await ask('own')).status).toBe(404)
    expect((await ask(`file-${fileId}`)).body.documents[0]).toHaveLength(1)
    expect((await library.call('admin', 'retrieval/reset/uploads', { body: {} })).body).toBe(true)
    expect(library.server.context.files.find(fileId)).toBeNull()
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
    settings.update({ ENABLE_WEB_SEARCH: true })
    expect((await search()).status).toBe(400)
    settings.update({ WEB_SEARCH_ENGINE: 'searxng', SEARXNG_QUERY_URL: `${engine.url}/search` })
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
    settings.update({
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
    settings.update({ WEB_SEARCH_DOMAIN_FILTER_LIST: ['example.org'] })
    expect((await search()).status).toBe(404)
  })
})

describe('the embedding engine', () => {
  it('says what it is and how far the index follows it', async () => {
    const library = await startLibrary()
    const fileId = await library.upload('owner', 'a.txt', 'Some text of a file.')
    expect((await library.call('admin', 'retrieval/engine')).body).toMatchObject({
      kind: 'built-in',
      problem: null,
      documents: { total: 1, current: 1, failed: 0 },
      chunks: 1,
      reindex: null,
    })
    expect((await library.call('admin', 'retrieval/engine/suggestions')).body).toEqual([])
    expect((await library.call('admin', 'retrieval/engine/health')).body).toEqual({
      passages: 1,
      vectors: 1,
      codes: 1,
      words: 1,
    })
    expect(
      (
        await library.call('admin', 'retrieval/engine/reindex', {
          body: { document_ids: [fileId] },
        })
      ).status,
    ).toBe(200)
    expect(
      (await library.call('admin', 'retrieval/engine/reindex/cancel', { body: {} })).status,
    ).toBe(200)
    expect((await library.call('admin', 'retrieval/engine/rebuild', { body: {} })).status).toBe(200)
    await expect
      .poll(async () => (await library.call('admin', 'retrieval/engine')).body.reindex)
      .toBeNull()
    expect((await library.call('owner', 'retrieval/engine')).status).toBe(401)
  })
})

describe('settings', () => {
  it('are one tree with the web in it, of which any part can be changed and null keeps', async () => {
    const library = await startLibrary()
    const before = (await library.call('admin', 'retrieval/config')).body
    expect(before).toMatchObject({
      status: true,
      TOP_K: 3,
      RELEVANCE_THRESHOLD: 0,
      FILE_MAX_SIZE: null,
      web: { ENABLE_WEB_SEARCH: false, EXTERNAL_WEB_SEARCH_API_KEY: '' },
    })
    const body = {
      TOP_K: 7,
      RELEVANCE_THRESHOLD: 0.25,
      CHUNK_SIZE: null,
      FILE_MAX_SIZE: 5,
      ALLOWED_FILE_EXTENSIONS: ['pdf'],
      UNKNOWN: 1,
      web: { WEB_SEARCH_RESULT_COUNT: 9, EXTERNAL_WEB_SEARCH_API_KEY: 'secret' },
    }
    const after = await library.call('admin', 'retrieval/config/update', { body })
    expect(after.body).toEqual({
      ...before,
      TOP_K: 7,
      RELEVANCE_THRESHOLD: 0.25,
      FILE_MAX_SIZE: 5,
      ALLOWED_FILE_EXTENSIONS: ['pdf'],
      web: { ...before.web, WEB_SEARCH_RESULT_COUNT: 9 },
    })
    const { settings } = library.server.context
    await library.call('admin', 'retrieval/config/update', { body: after.body })
    expect(settings.get('EXTERNAL_WEB_SEARCH_API_KEY')).toBe('secret')
    expect(
      (await library.call('admin', 'retrieval/config/update', { body: { TOP_K: 'many' } })).status,
    ).toBe(400)
    expect(
      (await library.call('admin', 'retrieval/config/update', { body: { TOP_K: { a: 1 } } }))
        .status,
    ).toBe(400)
  })

  it('of the embedding engine keep their keys to themselves', async () => {
    const library = await startLibrary()
    const body = {
      RAG_EMBEDDING_BATCH_SIZE: 8,
      openai_config: { url: 'https://api.example.org/v1', key: 'sk-secret' },
    }
    const reply = await library.call('admin', 'retrieval/embedding/update', { body })
    expect(reply.body).toMatchObject({
      status: true,
      RAG_EMBEDDING_ENGINE: '',
      RAG_EMBEDDING_BATCH_SIZE: 8,
      openai_config: { url: 'https://api.example.org/v1', key: '' },
    })
    await library.call('admin', 'retrieval/embedding/update', { body: reply.body })
    expect(library.server.context.settings.get('RAG_OPENAI_API_KEY')).toBe('sk-secret')
  })
})

it('one query can weigh words against meaning for itself', async () => {
  const library = await startLibrary()
  const id = await library.upload(
    'owner',
    'pump.txt',
    'The pump is rinsed with warm water and vinegar.',
  )
  const ask = async (more: object) => {
    const body = { collection_names: [`file-${id}`], query: 'vinegar for the pump', ...more }
    const reply = await library.call('owner', 'retrieval/query/collection', { body })
    return reply.body.metadatas[0][0] as { score: number; vector_score: number; word_score: number }
  }
  const [words, meaning] = [
    await ask({ hybrid_bm25_weight: 1 }),
    await ask({ hybrid_bm25_weight: 0 }),
  ]
  expect(words.score).toBeCloseTo(words.word_score)
  expect(meaning.score).toBeCloseTo(meaning.vector_score)
  expect(words.score).not.toBeCloseTo(meaning.score)
})
