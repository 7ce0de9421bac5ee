import { afterEach, expect, it, vi } from 'vitest'
import { fakeGateway, refusal, type SeenCall } from '../../testing/fake-gateway.ts'
import { sampleModelRow } from '../../testing/samples.ts'
import {
  createCatalogueStore,
  loadCatalogue,
  removeModel,
  saveDraft,
  toggleModel,
} from './catalogue-store.ts'
import { EMPTY_DRAFT } from './model-draft.ts'

afterEach(() => vi.unstubAllGlobals())

/** A gateway with slow connections. */
function setUp() {
  const rows = [sampleModelRow()]
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  fakeGateway({
    'GET /api/v1/models/list': () => ({ items: [...rows], total: rows.length }),
    'GET /api/models/base': async () => {
      asked.resolve()
      await answered.promise
      return { data: [] }
    },
    'GET /api/v1/models/base': [],
    'GET /api/v1/configs/models': {},
    'POST /api/v1/models/model/toggle': () => (rows[0] = { ...rows[0]!, is_active: false }),
    'POST /api/v1/models/model/delete': () => {
      rows.length = 0
      return true
    },
  })
  return { asked: asked.promise, answer: answered.resolve }
}

it('a model that was switched off while the catalogue was being read stays off', async () => {
  const { asked, answer } = setUp()
  const store = createCatalogueStore()
  const loading = loadCatalogue(store, { admin: true })
  await asked
  await toggleModel(store, 'brief')
  answer()
  await loading
  expect(store.getState()).toMatchObject({
    status: 'ready',
    rows: [{ id: 'brief', is_active: false }],
  })
})

it('a model that was removed while the catalogue was being read does not come back', async () => {
  const { asked, answer } = setUp()
  const store = createCatalogueStore()
  const loading = loadCatalogue(store, { admin: true })
  await asked
  await removeModel(store, sampleModelRow())
  answer()
  await loading
  expect(store.getState()).toMatchObject({ status: 'ready', rows: [] })
})

/** A gateway in which a model that the user cannot see has the id `helper`. */
const setUpTaken = () =>
  fakeGateway({
    'POST /api/v1/models/create': ({ body }: SeenCall) => {
      const { id } = body as { id: string }
      return id === 'helper'
        ? refusal(400, 'taken', { 'X-Error-Code': 'model_id_taken' })
        : sampleModelRow({ id })
    },
  })

it('a new model gets the next id if the one of its name belongs to a model that is not visible', async () => {
  setUpTaken()
  const draft = { ...EMPTY_DRAFT, name: 'Helper', baseId: 'm1' }
  const saved = await saveDraft(createCatalogueStore(), draft, { isNew: true, taken: new Set() })
  expect(saved.newest.id).toBe('helper-2')
})

it('an id that was typed is not changed; the refusal is shown', async () => {
  setUpTaken()
  const draft = { ...EMPTY_DRAFT, id: 'helper', name: 'Helper', baseId: 'm1' }
  await expect(
    saveDraft(createCatalogueStore(), draft, { isNew: true, taken: new Set() }),
  ).rejects.toMatchObject({ code: 'model_id_taken' })
})
