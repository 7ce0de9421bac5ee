import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RerankList } from '#contract/embeddings.ts'
import { indexThreeTexts, THREE_TEXTS } from '../testing/create-test-retrieval.ts'
import { startEngineGateway, type EngineGateway } from '../testing/start-engine-gateway.ts'

const TEXTS = ['The river is green.', 'A bird sings on the roof.', 'It rains softly.']
const never = new AbortController().signal

let gateway: EngineGateway
beforeAll(async () => {
  gateway = await startEngineGateway({ RAG_EXTERNAL_RERANKER_TIMEOUT: '60' })
  gateway.addModel('tiny', { contextLength: 512 })
  gateway.addModel('tiny-rank', { pooling: 'rank', seed: 5 })
  await gateway.server.call('GET', '/api/models?refresh=true', { token: gateway.admin })
}, 60_000)
afterAll(() => gateway.close())

async function findProvider(model: string) {
  const found = await gateway.server.context.providers.find(model)
  return found!.provider
}

const rank = async (model: string, texts: readonly string[], query = 'bird') =>
  (await (await findProvider(model)).rank!({ model, query, texts, signal: never })).scores

it('scores texts for a query, alike for alike texts', async () => {
  const [first, second, third, again] = await rank('tiny-rank', [...TEXTS, TEXTS[0]!])
  for (const score of [first, second, third]) {
    expect(score).toBeGreaterThan(0)
    expect(score).toBeLessThan(1)
  }
  expect(again).toBe(first)
  expect(second).not.toBe(first)
}, 60_000)

it('scores the best part of a text that is too long', async () => {
  const long = 'the river '.repeat(600)
  const [score] = await rank('tiny-rank', [long])
  expect(score).toBeGreaterThan(0)
  await expect(rank('tiny-rank', ['river'], long)).rejects.toThrow(
    'The query is longer than this model can read.',
  )
}, 60_000)

it('says that a model of another kind does not rank texts', async () => {
  await expect(rank('tiny', TEXTS)).rejects.toThrow('This model does not rank texts.')
}, 60_000)

it('is offered neither for chats nor as an engine of embeddings', async () => {
  const models = await gateway.server.call('GET', '/api/models', { token: gateway.admin })
  const { data } = (await models.json()) as { data: { id: string }[] }
  expect(data.map(({ id }) => id)).not.toContain('tiny-rank')
  const offered = await gateway.server.call('GET', '/api/v1/retrieval/engine/suggestions', {
    token: gateway.admin,
  })
  expect(await offered.json()).toEqual([])
})

it('is offered as a reranker, to administrators only', async () => {
  const ask = (token: string) =>
    gateway.server.call('GET', '/api/v1/retrieval/engine/rerankers', { token })
  expect(await (await ask(gateway.admin)).json()).toEqual([
    {
      settings: { RAG_RERANKING_ENGINE: 'llmhost', RAG_RERANKING_MODEL: 'tiny-rank' },
      model: 'tiny-rank',
      connection: expect.stringMatching(/./),
      is_local: true,
    },
  ])
  expect((await ask(await gateway.addMember('Member'))).status).toBe(401)
})

it('ranks texts for clients under each path, in the usual form', async () => {
  const scores = await rank('tiny-rank', TEXTS)
  const best = scores.indexOf(Math.max(...scores))
  for (const path of ['/llmhost/v1/rerank', '/ollama/v1/rerank', '/v1/rerank', '/api/rerank']) {
    const documents = [TEXTS[0], { text: TEXTS[1] }, TEXTS[2]]
    const body = { model: 'tiny-rank', query: 'bird', documents, top_n: 2, return_documents: true }
    const { results, ...rest } = (await (await gateway.post(path, body)).json()) as RerankList
    expect(rest).toMatchObject({
      id: expect.stringMatching(/^rerank-/),
      object: 'list',
      model: 'tiny-rank',
    })
    expect(rest.usage.total_tokens).toBeGreaterThan(0)
    expect(results).toHaveLength(2)
    expect(results[0]).toEqual({
      index: best,
      relevance_score: scores[best],
      document: { text: TEXTS[best] },
    })
    expect(results[0]!.relevance_score).toBeGreaterThanOrEqual(results[1]!.relevance_score)
  }
}, 60_000)

it('tells clients what cannot be ranked', async () => {
  const ask = async (fields: Record<string, unknown>, token = gateway.admin) => {
    const body = { model: 'tiny-rank', query: 'bird', documents: TEXTS, ...fields }
    const reply = await gateway.server.call('POST', '/llmhost/v1/rerank', { token, body })
    return `${reply.status} ${await reply.text()}`
  }
  expect(await ask({ model: 'none' })).toMatch(/^400 .*model_not_found/)
  expect(await ask({ model: 'tiny' })).toMatch(/^400 .*does not rank texts/)
  expect(await ask({ model: 'guide' })).toMatch(/^400 .*does not rank texts/)
  expect(await ask({ query: 'the river '.repeat(600) })).toMatch(/^400 .*longer than this model/)
  expect(await ask({ documents: [] })).toMatch(/^422/)
  expect(await ask({}, 'nobody')).toMatch(/^401/)
}, 60_000)

it('orders the passages of a search', async () => {
  const { settings, retrieval } = gateway.server.context
  await indexThreeTexts({ retrieval })
  const search = () => retrieval.search({ texts: ['bird'], collections: ['all'], limit: 3 }, never)
  expect((await search())[0]!.rerank_score).toBeNull()
  await settings.update({ RAG_RERANKING_ENGINE: 'llmhost', RAG_RERANKING_MODEL: 'tiny-rank' })
  const found = await search()
  const texts = Object.values(THREE_TEXTS)
  const scores = await rank('tiny-rank', texts)
  const byScore = texts
    .map((text, place) => ({ text, score: scores[place]! }))
    .toSorted((one, other) => other.score - one.score)
  expect(found.map(({ text }) => text)).toEqual(byScore.map(({ text }) => text))
  expect(found[0]!.rerank_score).toBeCloseTo(byScore[0]!.score)
}, 60_000)
