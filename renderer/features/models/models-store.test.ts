// @vitest-environment jsdom
import i18next from 'i18next'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeGateway, refusal } from '../../testing/fake-gateway.ts'
import { sampleModel } from '../../testing/samples.ts'
import {
  addModel,
  chooseModel,
  createModelsStore,
  filterModels,
  loadModels,
  removeModel,
  renameModels,
  selectModelInUse,
  selectOthers,
  showModels,
  showPreferredModel,
  groupModels,
  suggestModels,
} from './models-store.ts'

beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

const models = [
  sampleModel(),
  sampleModel({
    id: 'm2',
    name: 'North Large',
    connection_name: 'North',
    connection_type: 'external',
  }),
]

test('the chosen model is in use and remembered, the first one until then', async () => {
  fakeGateway({ 'GET /api/models': { object: 'list', data: models } })
  const store = createModelsStore()
  await loadModels(store)
  expect(selectModelInUse(store.getState())?.id).toBe('m1')
  chooseModel(store, 'm2')
  expect(selectModelInUse(createModelsStore().getState())).toBeNull()
  expect(createModelsStore().getState().selectedId).toBe('m2')
})

test('the suggestion of the gateway counts until somebody chooses, and only while the model is there', () => {
  const store = createModelsStore()
  store.setState({ models })
  suggestModels(store, 'gone, m2')
  expect(selectModelInUse(store.getState())?.id).toBe('m2')
  chooseModel(store, 'm1')
  expect(selectModelInUse(store.getState())?.id).toBe('m1')
})

test('an opened chat shows its own model without changing the choice for new chats', () => {
  const store = createModelsStore()
  store.setState({ models })
  chooseModel(store, 'm1')
  showModels(store, ['m2'])
  expect(selectModelInUse(store.getState())?.id).toBe('m2')
  showPreferredModel(store)
  expect(selectModelInUse(store.getState())?.id).toBe('m1')
})

test('a model that is gone gives way to the first one', () => {
  const store = createModelsStore()
  store.setState({ models })
  showModels(store, ['gone'])
  expect(selectModelInUse(store.getState())?.id).toBe('m1')
})

test('a model that does not answer is suggested to nobody, but stays in use where it was chosen', () => {
  const store = createModelsStore()
  store.setState({ models: [{ ...models[0]!, unavailable: true }, models[1]!] })
  suggestModels(store, 'm1')
  expect(selectModelInUse(store.getState())?.id).toBe('m2')
  chooseModel(store, 'm1')
  expect(selectModelInUse(store.getState())?.id).toBe('m1')
})

test('a failed refresh keeps the list that is shown', async () => {
  const store = createModelsStore()
  store.setState({ models, status: 'ready' })
  fakeGateway({ 'GET /api/models': refusal(503, 'Stopping.') })
  await loadModels(store)
  expect(store.getState()).toMatchObject({ status: 'failed', problem: 'Stopping.', models })
})

test('models are found by every word of name, id and connection', () => {
  expect(filterModels(models, 'north lar').map((model) => model.id)).toEqual(['m2'])
  expect(filterModels(models, 'river north')).toEqual([])
  expect(filterModels(models, '  ')).toBe(models)
})

test('at most four models answer at once, each of them once', () => {
  const store = createModelsStore()
  store.setState({ models: ['m1', 'm2', 'm3', 'm4', 'm5'].map((id) => sampleModel({ id })) })
  chooseModel(store, 'm1')
  for (const id of ['m1', 'm2', 'm2', 'm3', 'm4', 'm5']) addModel(store, id)
  expect(selectOthers(store.getState()).split('\n')).toEqual(['m2', 'm3', 'm4'])
  chooseModel(store, 'm3')
  removeModel(store, 'm4')
  expect(selectOthers(store.getState())).toBe('m2')
  showModels(store, ['m1', 'm1', 'm5', 'gone'])
  expect(selectOthers(store.getState())).toBe('m5')
  showPreferredModel(store)
  expect(selectOthers(store.getState())).toBe('')
})

test('pinned models stand in front of those of the connections', () => {
  const groups = groupModels(models, ['m2', 'gone'])
  expect(
    groups.map(({ connection, models: rows }) => [connection, ...rows.map(({ id }) => id)]),
  ).toEqual([
    [null, 'm2'],
    ['Desk', 'm1'],
  ])
  expect(groupModels(models, []).map(({ connection }) => connection)).toEqual(['Desk', 'North'])
})

test('the built-in guide is called as the language says, also after another was chosen', async () => {
  const guide = sampleModel({
    id: 'guide',
    name: 'Guide (not an AI)',
    connection_name: 'Built in',
  })
  fakeGateway({
    'GET /api/models': { object: 'list', data: [guide, { ...guide, id: 'other' }] },
  })
  const store = createModelsStore()
  await loadModels(store)
  const strings = { models: { guide: { name: 'Wegweiser (keine KI)', connection: 'Eingebaut' } } }
  i18next.addResourceBundle('de', 'translation', strings, true, true)
  const names = () => store.getState().models.map((model) => [model.name, model.connection_name])
  await i18next.changeLanguage('de')
  renameModels(store)
  expect(names()).toEqual([
    ['Wegweiser (keine KI)', 'Eingebaut'],
    ['Guide (not an AI)', 'Built in'],
  ])
  await i18next.changeLanguage('en')
  renameModels(store)
  expect(names()[0]).toEqual(['Guide (not an AI)', 'Built in'])
  fakeGateway({
    'GET /api/models': { object: 'list', data: [{ ...guide, name: 'House rules' }] },
  })
  await loadModels(store)
  expect(names()).toEqual([['House rules', 'Built in']])
})
