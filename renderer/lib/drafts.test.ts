import { expect, it } from 'vitest'
import { createDrafts, findDraft, keepDraft, settleDraft } from './drafts.ts'

const draft = { id: '', name: 'Weather', content: 'class Tools: ...' }

it('a form that was saved is a draft no more', () => {
  const drafts = createDrafts<typeof draft>()
  keepDraft(drafts, 'weather', draft)
  settleDraft(drafts, 'weather', draft, { id: 'weather' })
  expect(drafts.getState()).toEqual({})
})

it('what was typed while a form was being saved stays a draft of its object', () => {
  const drafts = createDrafts<typeof draft>()
  keepDraft(drafts, '', draft)
  keepDraft(drafts, '', { ...draft, content: 'class Tools:\n    pass' })
  settleDraft(drafts, '', draft, { id: 'weather' })
  expect(drafts.getState()).toEqual({
    weather: { ...draft, id: 'weather', content: 'class Tools:\n    pass' },
  })
})

it('an object may be named like a member of every object', () => {
  const drafts = createDrafts<typeof draft>()
  for (const id of ['constructor', '__proto__']) {
    expect(findDraft(drafts.getState(), id)).toBeUndefined()
    keepDraft(drafts, id, draft)
    expect(findDraft(drafts.getState(), id)).toBe(draft)
  }
})
