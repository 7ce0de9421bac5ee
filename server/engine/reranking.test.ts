import { afterAll, beforeAll, expect, it } from 'vitest'
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
  (await findProvider(model)).rank!({ model, query, texts, signal: never })

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
