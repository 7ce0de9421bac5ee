import { expect, it } from 'vitest'
import { createChatStore, withPage } from '../chat-store.ts'
import { keepToldFavorite, markFavorite } from './favorite.ts'
import { answer, createFakeApi, createFakeDeps, page, question } from '../testing-chat.ts'

const open = (parts: Parameters<typeof createFakeApi>[0] = {}) => {
  const store = createChatStore('chat')
  store.setState(
    withPage(store.getState(), page([question('q'), answer('a', { parentId: 'q' })])),
    true,
  )
  const api = createFakeApi(parts)
  return {
    store,
    api,
    deps: createFakeDeps(api),
    shown: () => store.getState().messages['a']?.favorite,
  }
}

const told = (messageId: string, favorite: boolean, chatId = 'chat') =>
  ({
    type: 'events',
    chat_id: chatId,
    message_id: messageId,
    data: { type: 'chat:message:favorite', data: { favorite } },
  }) as const

it('a mark is shown at once and stored, and goes again when it could not be', async () => {
  const { store, api, deps, shown } = open()
  await markFavorite(store, deps, 'a', true)
  expect([shown(), api.asked]).toEqual([
    true,
    [['update', 'chat', { history: { messages: { a: { favorite: true } } } }]],
  ])
  const failing = open({ update: () => Promise.reject(new Error('No.')) })
  await expect(markFavorite(failing.store, failing.deps, 'a', true)).rejects.toThrow('No.')
  expect(failing.shown()).toBe(false)
})

it('what a plugin marks is stored by the window, for messages it shows', () => {
  const { store, api, deps } = open()
  for (const frame of [told('a', true), told('unknown', true), told('a', true, 'other')])
    keepToldFavorite(store, deps, frame)
  expect(api.asked).toEqual([
    ['update', 'chat', { history: { messages: { a: { favorite: true } } } }],
  ])
})
