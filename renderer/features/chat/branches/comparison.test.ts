import { describe, expect, it } from 'vitest'
import {
  type ChatState,
  createChatStore,
  selectIsAnswering,
  withBeside,
  withPage,
} from '../chat-store.ts'
import { idsBeside, selectIsSettled, toColumns, toVersions } from './comparison.ts'
import { answer, page, question } from '../testing-chat.ts'

const ids = ['a', 'b', 'b2']
const asked = question('q', { models: ['north', 'south'], childrenIds: ids })
const north = answer('a', { parentId: 'q', modelIdx: 0, siblingIds: ids })
const south = answer('b', { parentId: 'q', modelIdx: 1, siblingIds: ids })
const southAgain = answer('b2', { parentId: 'q', modelIdx: 1, siblingIds: ids })

const opened = (current = north, extra: Parameters<typeof page>[0] = []): ChatState =>
  withPage(createChatStore('chat').getState(), page([asked, current, ...extra]))
const whole = (current = north): ChatState =>
  withBeside(opened(current), [north, south, southAgain])

describe('answers side by side', () => {
  it('stand in the order of the models, the newest version of each, unless another one is on the branch', () => {
    expect(toColumns(whole(), 'a')).toEqual(['a', 'b2'])
    expect(toColumns(whole(south), 'b')).toEqual(['a', 'b'])
  })

  it('are none under a question to one model, and while only one of them is known', () => {
    const single = withPage(
      createChatStore('chat').getState(),
      page([question('q', { models: ['north'] }), north]),
    )
    expect(toColumns(withBeside(single, [south]), 'a')).toEqual([])
    expect(toColumns(opened(), 'a')).toEqual([])
  })

  it('an answer made of them stands in no column', () => {
    const merged = answer('m', {
      parentId: 'q',
      modelIdx: 2,
      merged: true,
      siblingIds: [...ids, 'm'],
    })
    const state = withBeside(opened(merged), [north, south, southAgain])
    expect(toColumns(state, 'm')).toEqual(['a', 'b2'])
  })

  it('the versions of a column are those of its model alone', () => {
    expect(toVersions(whole(), southAgain)).toEqual(['b', 'b2'])
    expect(toVersions(whole(), north)).toEqual(['a'])
  })

  it('are settled once one was chosen or the conversation has gone on', () => {
    expect(selectIsSettled('a')(whole())).toBe(false)
    expect(selectIsSettled('a')(opened(north, [question('q2', { parentId: 'a' })]))).toBe(true)
    const kept = withPage(
      createChatStore('chat').getState(),
      page([{ ...asked, keptId: 'a' }, north]),
    )
    expect(selectIsSettled('a')(kept)).toBe(true)
  })

  it('those that are missing or still growing are read again', () => {
    expect([...idsBeside(opened()).keys()]).toEqual(['b', 'b2'])
    expect([
      ...idsBeside(withBeside(opened(), [{ ...south, done: false }, southAgain])).keys(),
    ]).toEqual(['b'])
  })

  it('the conversation is answering while any of them grows, and a page read meanwhile keeps them', () => {
    const growing = withBeside(opened(), [{ ...south, done: false, content: 'so far' }, southAgain])
    expect(selectIsAnswering(growing)).toBe(true)
    expect(withPage(growing, page([asked, north])).messages['b']?.content).toBe('so far')
  })
})
