import { expect, it } from 'vitest'
import type { BranchPage } from '#contract/chats.ts'
import { createChatStore, withPage } from './chat-store.ts'
import { readBranch } from './load-chat.ts'
import { sendMessage } from './sending/send-message.ts'
import { answer, createFakeApi, createFakeDeps, model, page, question } from './testing-chat.ts'

it('a message sent while the chat was being read stays', async () => {
  const before = page([question('q1', { childrenIds: ['a1'] }), answer('a1', { parentId: 'q1' })])
  const after = page([
    ...before.messages,
    question('id-1', { parentId: 'a1' }),
    answer('id-2', { parentId: 'id-1', done: false }),
  ])
  const late = Promise.withResolvers<BranchPage>()
  const replies = [late.promise, Promise.resolve(after)]
  const api = createFakeApi({ branch: () => replies.shift()! })
  const store = createChatStore('chat')
  store.setState((state) => withPage(state, before), true)
  const reading = readBranch(store, { api })
  await sendMessage(store, createFakeDeps(api), { text: 'More', model })
  late.resolve(before)
  await reading
  expect(store.getState().order).toEqual(['q1', 'a1', 'id-1', 'id-2'])
})
