import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startLibrary } from '../testing/start-library.ts'

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
      createHash('sha256').update('Without a name').digest('hex'),
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
    expect(await library.server.context.retrieval.collections.documents(id)).toEqual([])
    expect((await library.call('admin', 'knowledge/metadata/reindex', { body: {} })).body).toEqual({
      total: expect.any(Number),
      success: expect.any(Number),
    })
    expect(await library.server.context.retrieval.collections.documents(id)).toEqual([fileId])
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
    expect(await library.server.context.files.find(fileId)).toBeNull()
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
