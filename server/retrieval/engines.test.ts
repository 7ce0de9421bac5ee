import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import {
  createTestRetrieval,
  indexThreeTexts,
  THREE_TEXTS,
  toDocument,
  type TestRetrieval,
} from '../testing/create-test-retrieval.ts'

const never = new AbortController().signal

interface Call {
  readonly path: string
  readonly headers: Record<string, unknown>
  readonly body: Record<string, unknown>
}

/**
 * Starts an endpoint on loopback that replies with the result of `reply` for a call; null is a
 * failure.
 */
async function startEndpoint(reply: (call: Call) => unknown) {
  const calls: Call[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    const end = async (): Promise<void> => {
      const text = Buffer.concat(parts).toString()
      const call = {
        path: request.url!,
        headers: request.headers,
        body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
      }
      calls.push(call)
      const answer = await reply(call)
      response
        .writeHead(answer === null ? 500 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer ?? { error: 'broken' }))
    }
    request.on('end', () => void end())
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls }
}

/** Counts letters, which is enough meaning for the tests. */
const toVector = (text: string, dimensions: number): number[] => {
  const vector = Array.from({ length: dimensions }, () => 0.01)
  for (const letter of text.toLowerCase()) vector[letter.charCodeAt(0) % dimensions]! += 1
  return vector
}

const startCompatible = (dimensions = 40) =>
  startEndpoint(({ path, body }) =>
    path === '/v1/embeddings'
      ? {
          data: (body['input'] as string[])
            .map((text, index) => ({
              object: 'embedding',
              index,
              embedding: toVector(text, dimensions),
            }))
            .toReversed(),
        }
      : null,
  )

const startRuntime = () =>
  startEndpoint(({ path, body }) =>
    path === '/api/embed'
      ? { embeddings: (body['input'] as string[]).map((text) => toVector(text, 50)) }
      : null,
  )

const startSlowRuntime = () =>
  startEndpoint(async ({ body }) => {
    await sleep(10)
    return { embeddings: (body['input'] as string[]).map((text) => toVector(text, 50)) }
  })

const enginesOf = ({ storage }: TestRetrieval) =>
  storage
    .prepare("select distinct engine from retrieval_document where state = 'ready'")
    .pluck()
    .all()

describe('engines that are asked', () => {
  it('embeds through an endpoint in batches, with its key, and puts answers in order', async () => {
    const endpoint = await startCompatible()
    const environment = {
      RAG_EMBEDDING_ENGINE: 'openai',
      RAG_EMBEDDING_MODEL: 'multilingual-e5-base',
      RAG_OPENAI_API_BASE_URL: `${endpoint.url}/v1`,
      RAG_OPENAI_API_KEY: 'sk-key-of-the-endpoint',
      RAG_EMBEDDING_BATCH_SIZE: '2',
      CHUNK_SIZE: '50',
    }
    const test = await createTestRetrieval({ environment })
    const text = Array.from(
      { length: 30 },
      (_, place) => `Note ${place}: ${Object.values(THREE_TEXTS)[place % 3]}\n\n`,
    ).join('')
    await test.retrieval.index(
      { id: 'notes', kind: 'text', name: 'notes', content: toDocument(text) },
      { signal: never },
    )
    const [found] = await test.retrieval.search(
      { texts: [THREE_TEXTS.steel], documents: ['notes'], mode: 'vector', limit: 1 },
      never,
    )
    expect(found!.text).toContain('Steel')
    expect(
      endpoint.calls.every(
        ({ headers }) => headers['authorization'] === 'Bearer sk-key-of-the-endpoint',
      ),
    ).toBe(true)
    const inputs = endpoint.calls.map(({ body }) => body['input'] as string[])
    expect(Math.max(...inputs.map((input) => input.length))).toBe(2)
    expect(inputs[0]![0]).toMatch(/^passage: /)
    expect(inputs.at(-1)![0]).toMatch(/^query: /)
    expect(await test.retrieval.engineState()).toMatchObject({
      kind: 'compatible',
      model: 'multilingual-e5-base',
      dimensions: 40,
      problem: null,
    })
  })

  it('asks a query once', async () => {
    const endpoint = await startRuntime()
    const environment = {
      RAG_EMBEDDING_ENGINE: 'ollama',
      RAG_EMBEDDING_MODEL: 'm',
      RAG_OLLAMA_BASE_URL: endpoint.url,
    }
    const test = await createTestRetrieval({
      environment: { ...environment, RAG_EMBEDDING_ENGINE: 'llmhost' },
    })
    await indexThreeTexts(test)
    const before = endpoint.calls.length
    for (let round = 0; round < 3; round += 1)
      await test.retrieval.search({ texts: ['bees'], collections: ['all'] }, never)
    expect(endpoint.calls.length).toBe(before + 1)
  })

  it('searches by words while the engine does not answer, says so, and never stores half a document', async () => {
    let isBroken = false
    const endpoint = await startEndpoint(({ body }) =>
      isBroken
        ? null
        : {
            data: (body['input'] as string[]).map((text, index) => ({
              object: 'embedding',
              index,
              embedding: toVector(text, 30),
            })),
          },
    )
    const test = await createTestRetrieval({
      environment: {
        RAG_EMBEDDING_ENGINE: 'openai',
        RAG_EMBEDDING_MODEL: 'm',
        RAG_OPENAI_API_BASE_URL: `${endpoint.url}/v1`,
      },
    })
    await indexThreeTexts(test)
    isBroken = true
    const [found] = await test.retrieval.search(
      { texts: ['quenching steel in oil'], collections: ['all'] },
      never,
    )
    expect(found).toMatchObject({ document_id: 'steel', vector_score: null })
    expect((await test.retrieval.engineState()).problem).not.toBeNull()
    await expect(
      test.retrieval.search(
        { texts: ['steel once more'], collections: ['all'], mode: 'vector' },
        never,
      ),
    ).rejects.toMatchObject({
      status: 502,
    })
    const stopper = new AbortController()
    const work = test.retrieval.index(
      { id: 'bees', kind: 'text', name: 'x', content: toDocument('Wasps.') },
      { signal: stopper.signal },
    )
    setTimeout(() => stopper.abort(new Error('stopped by the person')), 100)
    await expect(work).rejects.toThrow('stopped by the person')
    isBroken = false
    const [bees] = await test.retrieval.search(
      { texts: ['nectar blossoms'], collections: ['all'], limit: 1 },
      never,
    )
    expect(bees!.text).toBe(THREE_TEXTS.bees)
    expect((await test.retrieval.engineState()).problem).toBeNull()
  })

  it('follows another engine with progress, compares no vectors of two engines, and stays findable', async () => {
    const test = await createTestRetrieval()
    await indexThreeTexts(test)
    const endpoint = await startRuntime()
    const states: (string | null)[] = []
    test.retrieval.onProgress(({ reindex }) =>
      states.push(reindex && `${reindex.done}/${reindex.total}`),
    )
    await test.settings.update({
      RAG_EMBEDDING_ENGINE: 'llmhost',
      RAG_EMBEDDING_MODEL: 'letters',
      RAG_LLMHOST_BASE_URL: endpoint.url,
    })
    const meanwhile = await test.retrieval.search(
      { texts: ['knight jump pieces'], collections: ['all'] },
      never,
    )
    expect(meanwhile[0]!.document_id).toBe('chess')
    await expect
      .poll(async () => (await test.retrieval.engineState()).documents)
      .toEqual({ total: 3, current: 3, failed: 0 })
    await expect.poll(async () => (await test.retrieval.engineState()).reindex).toBeNull()
    expect(await enginesOf(test)).toEqual(['runtime letters'])
    expect(states).toContain('1/3')
    const [found] = await test.retrieval.search(
      { texts: [THREE_TEXTS.bees], collections: ['all'], mode: 'vector', limit: 1 },
      never,
    )
    expect(found!.vector_score).toBeGreaterThan(0.9)
    await expect
      .poll(() => test.retrieval.checkHealth())
      .toEqual({ passages: 3, vectors: 3, codes: 3, words: 3 })
  })

  it('indexes a document with the engine that is chosen while it is read, and its new text whatever is indexed again', async () => {
    const [first, second] = [await startSlowRuntime(), await startRuntime()]
    const environment = {
      RAG_EMBEDDING_ENGINE: 'llmhost',
      RAG_EMBEDDING_MODEL: 'letters',
      RAG_LLMHOST_BASE_URL: first.url,
    }
    const test = await createTestRetrieval({
      environment: { ...environment, RAG_EMBEDDING_BATCH_SIZE: '1', CHUNK_SIZE: '50' },
    })
    await indexThreeTexts(test)
    const text = Array.from(
      { length: 40 },
      (_, place) => `Note ${place}: wasps gather no nectar at all.\n\n`,
    ).join('')
    const work = test.retrieval.index(
      { id: 'bees', kind: 'text', name: 'bees', content: toDocument(text) },
      { signal: never },
    )
    await expect.poll(() => first.calls.length).toBeGreaterThan(5)
    await test.retrieval.reindex(['bees', 'steel'])
    await test.settings.update({
      RAG_EMBEDDING_MODEL: 'other letters',
      RAG_LLMHOST_BASE_URL: second.url,
    })
    await work
    await expect.poll(async () => (await test.retrieval.engineState()).reindex).toBeNull()
    expect(await enginesOf(test)).toEqual(['runtime other letters'])
    const [found] = await test.retrieval.search(
      { texts: ['nectar'], documents: ['bees'], mode: 'words', limit: 1 },
      never,
    )
    expect(found!.text).toContain('wasps')
  })

  it('stops a turn when asked, and leaves the rest findable', async () => {
    const test = await createTestRetrieval()
    await indexThreeTexts(test)
    const endpoint = await startRuntime()
    test.retrieval.onProgress(() => test.retrieval.stopReindex())
    await test.settings.update({
      RAG_EMBEDDING_ENGINE: 'llmhost',
      RAG_EMBEDDING_MODEL: 'letters',
      RAG_LLMHOST_BASE_URL: endpoint.url,
    })
    await expect.poll(async () => (await test.retrieval.engineState()).reindex).toBeNull()
    expect((await test.retrieval.engineState()).documents.current).toBeLessThan(3)
    const [found] = await test.retrieval.search(
      { texts: ['knight jump pieces'], collections: ['all'] },
      never,
    )
    expect(found!.document_id).toBe('chess')
  })

  it('goes on with an unfinished turn after a restart', async () => {
    const folder = createTemporaryFolder()
    const first = await createTestRetrieval({ folder })
    await indexThreeTexts(first)
    await first.close()
    const endpoint = await startRuntime()
    const environment = {
      RAG_EMBEDDING_ENGINE: 'llmhost',
      RAG_EMBEDDING_MODEL: 'letters',
      RAG_LLMHOST_BASE_URL: endpoint.url,
    }
    const second = await createTestRetrieval({ folder, environment })
    expect((await second.retrieval.engineState()).documents).toEqual({
      total: 3,
      current: 0,
      failed: 0,
    })
    await second.retrieval.resume()
    await expect
      .poll(async () => (await second.retrieval.engineState()).documents.current, {
        timeout: 10_000,
      })
      .toBe(3)
  })

  it('is tried with other settings before they are stored', async () => {
    const test = await createTestRetrieval()
    const values = {
      RAG_EMBEDDING_ENGINE: 'llmhost',
      RAG_EMBEDDING_MODEL: 'letters',
      RAG_LLMHOST_BASE_URL: (await startRuntime()).url,
    } as const
    expect(await test.retrieval.tryEngine(values, never)).toMatchObject({ dimensions: 50 })
    expect((await test.retrieval.engineState()).kind).toBe('built-in')
    await expect(
      test.retrieval.tryEngine({ ...values, RAG_EMBEDDING_MODEL: '' }, never),
    ).rejects.toMatchObject({ status: 400 })
    const tryAt = (RAG_LLMHOST_BASE_URL: string) =>
      test.retrieval.tryEngine({ ...values, RAG_LLMHOST_BASE_URL }, never)
    await expect(tryAt('http://127.0.0.1:9')).rejects.toMatchObject({ status: 502 })
    expect((await test.retrieval.tryEngine({}, never)).dimensions).toBeGreaterThan(100)
    const silent = await startEndpoint(() => new Promise(() => undefined))
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.timeout(50))
    onTestFinished(() => timeout.mockRestore())
    await expect(tryAt(silent.url)).rejects.toMatchObject({ status: 504 })
  })

  it('says what is missing when no model is chosen', async () => {
    const test = await createTestRetrieval({ environment: { RAG_EMBEDDING_ENGINE: 'openai' } })
    const work = test.retrieval.index(
      { id: 'a', kind: 'text', name: 'a', content: toDocument('Words.') },
      { signal: never },
    )
    await expect(work).rejects.toMatchObject({ status: 400 })
    expect((await test.retrieval.engineState()).problem).toMatch(/No embedding model is chosen/)
  })

  it('keeps the words that can be found when the index of words is built anew', async () => {
    const test = await createTestRetrieval()
    await indexThreeTexts(test)
    await test.storage
      .prepare(
        test.storage.engine === 'sqlite'
          ? "insert into retrieval_words (retrieval_words) values ('delete-all')"
          : 'delete from retrieval_words',
      )
      .run()
    expect(await test.retrieval.checkHealth()).toMatchObject({ passages: 3, words: 0 })
    await test.retrieval.rebuild()
    await expect.poll(async () => (await test.retrieval.engineState()).reindex).toBeNull()
    await expect
      .poll(() => test.retrieval.checkHealth())
      .toEqual({ passages: 3, vectors: 3, codes: 3, words: 3 })
    const [found] = await test.retrieval.search(
      { texts: ['nectar'], collections: ['all'], mode: 'words' },
      never,
    )
    expect(found!.document_id).toBe('bees')
  })
})

describe('the reranker', () => {
  const environmentOf = (url: string) => ({
    RAG_RERANKING_ENGINE: 'external',
    RAG_EXTERNAL_RERANKER_URL: `${url}/rerank`,
    RAG_RERANKING_MODEL: 'judge',
  })

  it('puts passages into its order, with its scores between 0 and 1', async () => {
    const endpoint = await startEndpoint(({ body }) => ({
      results: (body['documents'] as string[]).map((text, index) => ({
        index,
        relevance_score: text.includes('knight') ? 4 : -4,
      })),
    }))
    const test = await createTestRetrieval({ environment: environmentOf(endpoint.url) })
    await indexThreeTexts(test)
    const found = await test.retrieval.search(
      { texts: ['bees and steel and a knight'], collections: ['all'], limit: 3 },
      never,
    )
    expect(found[0]).toMatchObject({ document_id: 'chess' })
    expect(found[0]!.rerank_score).toBeGreaterThan(0.9)
    expect(found[0]!.score).toBe(found[0]!.rerank_score)
    expect(endpoint.calls[0]!.body).toMatchObject({
      model: 'judge',
      query: 'bees and steel and a knight',
    })
    const strict = await test.retrieval.search(
      { texts: ['bees and steel and a knight'], collections: ['all'], limit: 3, threshold: 0.5 },
      never,
    )
    expect(strict.map(({ document_id }) => document_id)).toEqual(['chess'])
    const few = await test.retrieval.search(
      { texts: ['a knight'], collections: ['all'], limit: 3, rerankLimit: 1 },
      never,
    )
    expect(few).toHaveLength(1)
  })

  it('leaves the order as it is when the endpoint fails or answers nonsense', async () => {
    for (const answer of [null, { results: [{ index: 0, relevance_score: 'high' }] }, 'text']) {
      const endpoint = await startEndpoint(() => answer)
      const test = await createTestRetrieval({ environment: environmentOf(endpoint.url) })
      await indexThreeTexts(test)
      const [found] = await test.retrieval.search(
        { texts: ['nectar of blossoms'], collections: ['all'] },
        never,
      )
      expect(found).toMatchObject({ document_id: 'bees', rerank_score: null })
    }
  })
})
