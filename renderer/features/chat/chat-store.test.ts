import { describe, expect, it } from 'vitest'
import {
  createChatStore,
  isGrowing,
  patchMessage,
  selectIsAnswering,
  selectIsEmpty,
  withOlderPage,
  withPage,
  withTurn,
} from './chat-store.ts'
import { answer, page, question } from './testing-chat.ts'

const fresh = createChatStore('chat').getState()
const two = [question('q1'), answer('a1', { parentId: 'q1' })]

describe('a page of a branch', () => {
  it('is shown as it was read', () => {
    const state = withPage(fresh, page(two, { before: 'q1' }))
    expect(state).toMatchObject({
      phase: 'ready',
      order: ['q1', 'a1'],
      before: 'q1',
      title: 'Title',
    })
    expect(selectIsEmpty(state)).toBe(false)
  })

  it('keeps a mark that is not stored yet, and takes one away that was', () => {
    const marked = patchMessage(withPage(fresh, page(two)), 'a1', { favorite: true })
    expect(withPage(marked, page(two)).messages['a1']?.favorite).toBe(true)
    const taken = page([two[0]!, { ...two[1]!, favorite: false }])
    expect(withPage(marked, taken).messages['a1']?.favorite).toBe(false)
  })

  it('keeps older messages above it that hang together with it', () => {
    const older = withOlderPage(
      withPage(fresh, page(two, { before: 'q1' })),
      page([question('q0')], { before: null }),
    )
    const state = withPage(older, page([...two, question('q2')], { before: 'q1' }))
    expect(state.order).toEqual(['q0', 'q1', 'a1', 'q2'])
    expect(state.before).toBe(null)
  })

  it('drops what does not hang together with it', () => {
    const state = withPage(withPage(fresh, page(two)), page([question('x')], { before: 'x' }))
    expect(state.order).toEqual(['x'])
    expect(state.before).toBe('x')
  })

  it('leaves messages below it that are still on their way', () => {
    const sending = withTurn(withPage(fresh, page(two)), 'a1', [
      question('q2', { parentId: 'a1', unsent: true }),
    ])
    expect(withPage(sending, page(two)).order).toEqual(['q1', 'a1', 'q2'])
  })

  it('never makes a growing answer shorter than what was already shown', () => {
    const live = withPage(
      fresh,
      page([question('q1'), answer('a1', { content: 'Hello wor', done: false })]),
    )
    const read = page([question('q1'), answer('a1', { content: 'Hello', done: false })])
    expect(withPage(live, read).messages.a1?.content).toBe('Hello wor')
  })

  it('takes a finished answer as it is, shorter or not', () => {
    const live = withPage(
      fresh,
      page([question('q1'), answer('a1', { content: 'Hello wor', done: false })]),
    )
    expect(
      withPage(live, page([question('q1'), answer('a1', { content: 'Hello' })])).messages.a1
        ?.content,
    ).toBe('Hello')
  })
})

describe('a new turn', () => {
  it('stands at the end and its answer counts as growing', () => {
    const state = withTurn(withPage(fresh, page(two)), 'a1', [
      question('q2'),
      answer('a2', { content: '', done: false }),
    ])
    expect(state.order).toEqual(['q1', 'a1', 'q2', 'a2'])
    expect(selectIsAnswering(state)).toBe(true)
    expect(state.liveTurn).toBe('a2')
  })

  it('beside an older message cuts the branch there', () => {
    expect(withTurn(withPage(fresh, page(two)), 'q1', [answer('a2')]).order).toEqual(['q1', 'a2'])
  })

  it('beside the first message replaces the whole branch and reads nothing older', () => {
    const state = withTurn(withPage(fresh, page(two, { before: 'q1' })), null, [question('q2')])
    expect(state).toMatchObject({ order: ['q2'], before: null })
  })
})

it('changing one message leaves every other one the same object, so that only one is drawn again', () => {
  const state = withPage(fresh, page(two))
  const next = patchMessage(state, 'a1', { content: 'more' })
  expect(next.messages.q1).toBe(state.messages.q1)
  expect(next.order).toBe(state.order)
  expect(patchMessage(state, 'missing', { content: 'x' })).toBe(state)
})

it('only an answer that is not done grows', () => {
  expect(isGrowing(answer('a', { done: false }))).toBe(true)
  expect(isGrowing(answer('a'))).toBe(false)
  expect(isGrowing(question('q', { done: false }))).toBe(false)
  expect(isGrowing(undefined)).toBe(false)
})
