// @vitest-environment jsdom
import { beforeEach, expect, it } from 'vitest'
import {
  emptyDraft,
  estimateTokens,
  isBlank,
  isLargePaste,
  keepDraft,
  LARGE_PASTE_LINES,
  readDraft,
  toMessageText,
  toPastedEntries,
} from './draft.ts'

beforeEach(() => localStorage.clear())

it('a draft is kept for each chat and for the new one', () => {
  keepDraft('chat', { text: 'one', pastes: ['p'] })
  keepDraft(null, { text: 'two', pastes: [] })
  expect(readDraft('chat')).toEqual({ text: 'one', pastes: ['p'] })
  expect(readDraft(null).text).toBe('two')
  expect(readDraft('other')).toEqual(emptyDraft)
})

it('an emptied draft is forgotten', () => {
  keepDraft('chat', { text: 'one', pastes: [] })
  keepDraft('chat', emptyDraft)
  expect(localStorage).toHaveLength(0)
})

it.each(['', '{', 'null', '7', '{"text":5,"pastes":[1,"kept"]}'])(
  'survives %o in the store',
  (stored) => {
    localStorage.setItem('draft:chat', stored)
    expect(readDraft('chat').text).toBe('')
  },
)

it('large pasted texts are attached to what is written, and are the message where nothing is', () => {
  const paste = Array.from({ length: LARGE_PASTE_LINES }, (_, line) => `line ${line}`).join('\n')
  expect(isLargePaste(paste)).toBe(true)
  expect(isLargePaste('a few\nlines')).toBe(false)
  const written = { text: ' Look: ', pastes: [paste] }
  expect(toMessageText(written)).toBe('Look:')
  expect(toPastedEntries(written, 'Pasted')).toEqual([
    {
      type: 'text',
      id: 'paste-1',
      name: 'Pasted',
      content: paste,
      context: 'full',
      status: 'processed',
    },
  ])
  const alone = { text: ' ', pastes: [paste] }
  expect(toMessageText(alone)).toBe(paste)
  expect(toPastedEntries(alone, 'Pasted')).toEqual([])
})

it('blanks alone are no message', () => {
  expect(isBlank({ text: ' \n', pastes: [] })).toBe(true)
  expect(isBlank({ text: '', pastes: ['x'] })).toBe(false)
})

it('tokens are estimated over text and pastes', () => {
  expect(estimateTokens({ text: 'a'.repeat(40), pastes: ['b'.repeat(40)] })).toBe(20)
})
