import { expect, it } from 'vitest'
import { createDraftsStore, keepModelDraft, settleModelDraft } from './drafts-store.ts'
import { EMPTY_DRAFT } from './model-draft.ts'

const draft = { ...EMPTY_DRAFT, name: 'Gardener' }

it('a draft that was saved is gone', () => {
  const store = createDraftsStore()
  keepModelDraft(store, '', draft)
  settleModelDraft(store, '', draft, 'gardener')
  expect(store.getState()).toEqual({})
})

it('what was typed while a model was being saved stays a draft of it', () => {
  const store = createDraftsStore()
  keepModelDraft(store, '', draft)
  keepModelDraft(store, '', { ...draft, system: 'Be brief.' })
  settleModelDraft(store, '', draft, 'gardener')
  expect(store.getState()).toMatchObject({
    gardener: { id: 'gardener', name: 'Gardener', system: 'Be brief.' },
  })
  expect(store.getState()['']).toBeUndefined()
})
