import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startModelGateway, type ModelGateway } from '../testing/start-model-gateway.ts'

let gateway: ModelGateway
beforeAll(async () => {
  gateway = await startModelGateway()
})
afterAll(() => gateway.close())

describe('settings about models', () => {
  const CONFIG = '/api/v1/configs/models'

  it('are read and changed together or one by one; null goes back to the default', async () => {
    const empty = {
      DEFAULT_MODELS: '',
      DEFAULT_PINNED_MODELS: '',
      MODEL_ORDER_LIST: [],
      DEFAULT_MODEL_METADATA: {},
      DEFAULT_MODEL_PARAMS: {},
    }
    expect((await gateway.get('admin', CONFIG)).body).toEqual(empty)
    const changed = {
      ...empty,
      DEFAULT_MODELS: 'cloud-1,cloud-2',
      DEFAULT_MODEL_METADATA: { capabilities: { vision: true }, extra: 1 },
    }
    expect((await gateway.post('admin', CONFIG, changed)).body).toEqual(changed)
    expect(
      (await gateway.post('admin', CONFIG, { DEFAULT_MODEL_PARAMS: { temperature: 1 } })).body,
    ).toEqual({
      ...changed,
      DEFAULT_MODEL_PARAMS: { temperature: 1 },
    })
    const reset = { DEFAULT_MODELS: null, DEFAULT_MODEL_METADATA: null, DEFAULT_MODEL_PARAMS: null }
    expect((await gateway.post('admin', CONFIG, reset)).body).toEqual(empty)
    expect((await gateway.post('admin', CONFIG, { DEFAULT_MODEL_PARAMS: [] })).status).toBe(422)
  })

  it('tell everybody what the interface needs, and nobody else the parameters', async () => {
    await gateway.post('admin', CONFIG, {
      DEFAULT_MODELS: 'cloud-1',
      DEFAULT_MODEL_PARAMS: { system: 'Secret' },
    })
    const { body } = await gateway.get('stranger', `${CONFIG}/defaults`)
    expect(body).toEqual({
      DEFAULT_MODELS: 'cloud-1',
      DEFAULT_PINNED_MODELS: '',
      DEFAULT_MODEL_METADATA: {},
    })
    await gateway.post('admin', CONFIG, { DEFAULT_MODELS: null, DEFAULT_MODEL_PARAMS: null })
  })

  it('MODEL_ORDER_LIST says which models come first; the others keep their order', async () => {
    expect(await gateway.idsFor('admin')).toEqual(['llama:8b', 'cloud-1', 'cloud-2', 'guide'])
    await gateway.post('admin', CONFIG, { MODEL_ORDER_LIST: ['cloud-2', 'gone', 'guide'] })
    expect(await gateway.idsFor('admin')).toEqual(['cloud-2', 'guide', 'llama:8b', 'cloud-1'])
    await gateway.post('admin', CONFIG, { MODEL_ORDER_LIST: null })
  })

  it('DEFAULT_MODEL_METADATA stands beneath what models say themselves', async () => {
    await gateway.post('admin', CONFIG, {
      DEFAULT_MODEL_METADATA: {
        capabilities: { citations: true, tools: false },
        description: 'Nothing is known.',
      },
    })
    const { body } = await gateway.get('admin', '/api/v1/models/model?id=cloud-1')
    expect(body.meta).toMatchObject({
      description: 'Nothing is known.',
      capability_flags: { citations: true },
    })
    await gateway.post('admin', CONFIG, { DEFAULT_MODEL_METADATA: null })
  })
})

describe('the price table', () => {
  const PRICES = '/api/v1/models/prices'
  const price = { model: 'cloud-*', input: 0.15, output: 2, currency: 'EUR' }

  it('is read by everybody and replaced by administrators', async () => {
    expect((await gateway.get('stranger', PRICES)).body).toEqual([])
    expect((await gateway.post('stranger', PRICES, { prices: [price] })).status).toBe(401)
    expect((await gateway.post('admin', PRICES, { prices: [price] })).body).toEqual([price])
    expect((await gateway.get('stranger', PRICES)).body).toEqual([price])
    expect((await gateway.post('admin', PRICES, { prices: [] })).body).toEqual([])
  })

  it.each([
    ['a negative price', { ...price, input: -1 }],
    ['an unknown currency', { ...price, currency: 'Euro' }],
    ['no model', { ...price, model: '' }],
  ])('refuses %s', async (_, entry) => {
    expect((await gateway.post('admin', PRICES, { prices: [entry] })).status).toBe(422)
  })
})
