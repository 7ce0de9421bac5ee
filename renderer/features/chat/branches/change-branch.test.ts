import { expect, it } from 'vitest'
import { countBelow, deleteMessage, stopAnswer, switchBranch } from './change-branch.ts'
import { createChatStore, withPage } from '../chat-store.ts'
import { runAnswers } from '../sending/run-answer.ts'
import { answer, createFakeApi, createFakeDeps, page, question } from '../testing-chat.ts'

const byId = (...messages: ReturnType<typeof question>[]) =>
  Object.fromEntries(messages.map((message) => [message.id, message]))

it('a deletion counts the message and everything below it on every branch', () => {
  const tree = byId(
    question('q'),
    answer('a', { parentId: 'q' }),
    answer('b', { parentId: 'q' }),
    question('c', { parentId: 'a' }),
    question('d', { parentId: 'a' }),
  )
  expect(countBelow(tree, 'q')).toBe(5)
  expect(countBelow(tree, 'a')).toBe(3)
  expect(countBelow(tree, 'b')).toBe(1)
})

it('a circle in the links does not count for ever', () => {
  expect(
    countBelow(byId(question('x', { parentId: 'y' }), question('y', { parentId: 'x' })), 'x'),
  ).toBe(2)
})

it('switching shows the branch through the sibling and makes it the active one', async () => {
  const store = createChatStore('chat')
  store.setState((state) => withPage(state, page([question('q'), answer('a')])), true)
  const api = createFakeApi({
    branch: () => Promise.resolve(page([question('q'), answer('b'), question('c')])),
  })
  await switchBranch(store, { api }, 'b')
  expect(store.getState().order).toEqual(['q', 'b', 'c'])
  expect(api.asked).toMatchObject([
    ['branch', 'chat', { through: 'b' }],
    ['update', 'chat', { history: { currentId: 'c' } }],
  ])
})

it('after a deletion the branch the gateway then calls active is shown', async () => {
  const store = createChatStore('chat')
  store.setState((state) => withPage(state, page([question('q'), answer('a')])), true)
  const api = createFakeApi({ branch: () => Promise.resolve(page([question('q'), answer('b')])) })
  await deleteMessage(store, { api }, 'a')
  expect(store.getState().order).toEqual(['q', 'b'])
  expect(api.asked[0]).toEqual(['removeMessage', 'chat', 'a'])
})

it('a stop before the answer has begun is sent again once it runs', async () => {
  const store = createChatStore('chat')
  const asked = answer('a', { parentId: 'q', done: false, content: '' })
  store.setState((state) => withPage(state, page([question('q'), asked])), true)
  let begin = (): void => undefined
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const api = createFakeApi({
    startAnswer: () => begun.then(() => ({ over: 'socket' as const, taskIds: [] })),
  })
  const running = runAnswers(store, createFakeDeps(api), { answers: [asked], isFirst: false })
  await stopAnswer(store, { api })
  begin()
  await running
  expect(api.asked.map(([name]) => name)).toEqual(['stop', 'startAnswer', 'stop'])
})
