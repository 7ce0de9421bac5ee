import { describe, expect, it } from 'vitest'
import '../../lib/i18n.ts'
import { sampleModel, sampleModelRow } from '../../testing/samples.ts'
import { moveId, toggleId } from './catalogue-store.ts'
import { splitIds } from './models-store.ts'
import { filterEntries, toBaseEntries, toOwnEntries } from './list-entries.ts'
import {
  EMPTY_DRAFT,
  isSameDraft,
  suggestFreeId,
  suggestId,
  toCopy,
  toDraft,
  toJson,
  toModelInput,
  withJson,
  withParam,
} from './model-draft.ts'
import { toPreviewRequest } from './preview-pane.tsx'

const row = sampleModelRow({
  params: { system: 'Be brief.', temperature: 0.2, custom_params: { a: '1' } },
  meta: {
    description: 'Short answers',
    tags: [{ name: 'work' }],
    capabilities: { vision: true, usage: false },
    suggestion_prompts: [{ content: 'Say hello' }],
    toolIds: ['t1'],
  },
})

describe('the form of a model', () => {
  it('gives back what it was made of, with fields it does not know', () => {
    const input = toModelInput(toDraft(row))
    expect(input).toMatchObject({
      id: row.id,
      base_model_id: 'm1',
      params: row.params,
      meta: row.meta,
    })
  })

  it('leaves unset parameters out, so that the model decides', () => {
    const draft = toDraft(row)
    const { params } = toModelInput({
      ...draft,
      system: ' ',
      params: withParam(draft.params, 'temperature', undefined),
    })
    expect(params).toEqual({ custom_params: { a: '1' } })
  })

  it('makes an id of the name until somebody types one', () => {
    expect(suggestId(' Émile’s Helper (v2) ')).toBe('e-mile-s-helper-v2')
    expect(toModelInput({ ...toDraft(row), id: '', name: 'My Model' }).id).toBe('my-model')
  })

  it('makes an id of the name that no other model has, also of a name without Latin letters', () => {
    expect(suggestFreeId('My Model', new Set())).toBe('my-model')
    expect(suggestFreeId('My Model', new Set(['my-model', 'my-model-2']))).toBe('my-model-3')
    expect(suggestFreeId('مساعد', new Set(['model']))).toBe('model-2')
  })

  it('is unchanged until it would store something else', () => {
    expect(isSameDraft(toDraft(row), { ...toDraft(row), name: `${row.name} ` })).toBe(true)
    expect(isSameDraft(toDraft(row), { ...toDraft(row), system: 'Be long.' })).toBe(false)
    expect(isSameDraft(EMPTY_DRAFT, toCopy(toDraft(row)))).toBe(false)
  })

  it('begins a copy without an id and without rights; a changed model of a connection becomes its base', () => {
    expect(toCopy(toDraft(row))).toMatchObject({ id: '', baseId: 'm1', grants: [] })
    expect(toCopy(toDraft({ ...row, id: 'm9', base_model_id: null }))).toMatchObject({
      baseId: 'm9',
    })
  })

  it('can be changed as JSON, and says what is wrong with it', () => {
    const draft = toDraft(row)
    expect(withJson(draft, toJson(draft))).toEqual(draft)
    expect(withJson(draft, '{"params":{"system":"New"}}')).toMatchObject({
      system: 'New',
      params: {},
      tags: [],
    })
    expect(() => withJson(draft, '{')).toThrow('not valid JSON')
    expect(() => withJson(draft, '[]')).toThrow('object')
  })

  it('is tried with its unsaved parameters on the model it is built on', () => {
    const request = toPreviewRequest({ ...toDraft(row), system: 'Sing.' }, [
      { question: 'Hi', answer: 'La', failure: null },
      { question: 'More', answer: '', failure: null },
    ])
    expect(request).toMatchObject({ model: 'm1', params: { system: 'Sing.', temperature: 0.2 } })
    expect(request.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(request.chat_id).toBeUndefined()
  })
})

describe('the list of models', () => {
  const bases = [sampleModel(), sampleModel({ id: 'm2', name: 'North Large', for_everybody: true })]
  const config = {
    DEFAULT_MODELS: 'm2',
    DEFAULT_PINNED_MODELS: '',
    MODEL_ORDER_LIST: ['m2'],
    DEFAULT_MODEL_METADATA: {},
    DEFAULT_MODEL_PARAMS: {},
  }

  it('shows models of connections in the order of the gateway, with what was changed about them', () => {
    const override = { ...row, id: 'm1', base_model_id: null, name: 'Stream', is_active: false }
    const entries = toBaseEntries({
      rows: [],
      bases,
      overrides: [override],
      config,
      status: 'ready',
      problem: null,
    })
    expect(
      entries.map(({ id, name, isActive, unshared }) => [id, name, isActive, unshared]),
    ).toEqual([
      ['m2', 'North Large', true, 'everybody'],
      ['m1', 'Stream', false, 'administrators'],
    ])
  })

  it('finds own models by words and tag', () => {
    const entries = toOwnEntries([row, { ...row, id: 'other', name: 'Other', meta: {} }], bases)
    expect(filterEntries(entries, 'short', null).map(({ id }) => id)).toEqual([row.id])
    expect(filterEntries(entries, '', 'work').map(({ id }) => id)).toEqual([row.id])
    expect(entries[0]?.base?.id).toBe('m1')
  })

  it('moves ids by one place and keeps lists of ids', () => {
    expect(moveId(['a', 'b', 'c'], 'b', -1)).toEqual(['b', 'a', 'c'])
    expect(moveId(['a', 'b'], 'b', 1)).toEqual(['a', 'b'])
    expect(toggleId(splitIds('a, b,'), 'a')).toEqual(['b'])
  })
})
