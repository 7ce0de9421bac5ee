import { expect, it } from 'vitest'
import {
  createPluginDrafts,
  findPluginDraft,
  keepPluginDraft,
  settlePluginDraft,
} from './plugin-drafts.ts'

const draft = {
  id: '',
  name: 'Weather',
  description: '',
  content: 'class Tools: ...',
  requirements: [],
  grants: [],
}

it('a source that was saved is a draft no more', () => {
  const drafts = createPluginDrafts()
  keepPluginDraft(drafts, 'weather', draft)
  settlePluginDraft(drafts, 'weather', draft, 'weather')
  expect(drafts.getState()).toEqual({})
})

it('what was typed while a source was being saved stays a draft of the plugin', () => {
  const drafts = createPluginDrafts()
  keepPluginDraft(drafts, '', draft)
  keepPluginDraft(drafts, '', { ...draft, content: 'class Tools:\n    pass' })
  settlePluginDraft(drafts, '', draft, 'weather')
  expect(drafts.getState()).toEqual({
    weather: { ...draft, id: 'weather', content: 'class Tools:\n    pass' },
  })
})

it('a plugin may be named like a member of every object', () => {
  const drafts = createPluginDrafts()
  for (const id of ['constructor', '__proto__']) {
    expect(findPluginDraft(drafts.getState(), id)).toBeUndefined()
    keepPluginDraft(drafts, id, draft)
    expect(findPluginDraft(drafts.getState(), id)).toBe(draft)
  }
})
