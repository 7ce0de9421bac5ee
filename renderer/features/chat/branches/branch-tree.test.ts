import { expect, it } from 'vitest'
import { toBranchRows } from './branch-tree.ts'
import { branchThrough, removeLocal } from '../temporary-chat.ts'
import { createChatStore } from '../chat-store.ts'
import { answer, question } from '../testing-chat.ts'

const tree = {
  q: question('q', { timestamp: 1 }),
  a: answer('a', { parentId: 'q', timestamp: 2, siblingIds: ['a', 'b'] }),
  b: answer('b', { parentId: 'q', timestamp: 3, siblingIds: ['a', 'b'] }),
  c: question('c', { parentId: 'a', timestamp: 4 }),
}

it('each branch is one run of rows, and every choice stands one further in', () => {
  const rows = toBranchRows(tree).map(({ id, depth, version }) => [
    id,
    depth,
    version && `${version.place}/${version.total}`,
  ])
  expect(rows).toEqual([
    ['q', 0, null],
    ['a', 1, '1/2'],
    ['c', 1, null],
    ['b', 1, '2/2'],
  ])
})

it('a chat of ten thousand messages has a map', () => {
  const long = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => {
      const id = String(index)
      return [
        id,
        question(id, { parentId: index === 0 ? null : String(index - 1), timestamp: index }),
      ]
    }),
  )
  expect(toBranchRows(long)).toHaveLength(10_000)
})

it('a branch that is only in this window goes from the root through a message to its newest end', () => {
  expect(branchThrough(tree, 'a')).toEqual(['q', 'a', 'c'])
  expect(branchThrough(tree, 'b')).toEqual(['q', 'b'])
})

it('a message of a temporary chat goes with what follows it, and the version beside it is shown', () => {
  const state = { ...createChatStore(null).getState(), messages: tree, order: ['q', 'a', 'c'] }
  const left = removeLocal(state, 'a')
  expect(left.order).toEqual(['q', 'b'])
  expect(Object.keys(left.messages)).toEqual(['q', 'b'])
  expect(left.messages['b']?.siblingIds).toEqual(['b'])
  expect(removeLocal(left, 'q').order).toEqual([])
})
