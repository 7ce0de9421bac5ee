import { expect, it, vi } from 'vitest'
import type { ServerFrame } from '#contract/events.ts'
import { ChatFeed } from './chat-feed.ts'
import { createChatStore, withPage } from './chat-store.ts'
import { answer, page, question } from './testing-chat.ts'

const frame = (content: string, offset: number, chatId = 'chat'): ServerFrame => ({
  type: 'events',
  chat_id: chatId,
  message_id: 'a',
  data: { type: 'chat:message:delta', data: { content, offset } },
})

function openFeed() {
  const store = createChatStore('chat')
  store.setState(
    (state) => withPage(state, page([question('q'), answer('a', { content: '', done: false })])),
    true,
  )
  const scheduled: (() => void)[] = []
  const reread = vi.fn()
  const feed = new ChatFeed(store, { schedule: (callback) => scheduled.push(callback), reread })
  return {
    store,
    feed,
    reread,
    scheduled,
    draw: () => scheduled.splice(0).forEach((callback) => callback()),
  }
}

it('draws everything that came between two frames at once', () => {
  const { store, feed, scheduled, draw } = openFeed()
  const listener = vi.fn()
  store.subscribe(listener)
  for (const [index, letter] of ['H', 'e', 'l', 'l', 'o'].entries()) feed.push(frame(letter, index))
  expect(scheduled).toHaveLength(1)
  expect(listener).not.toHaveBeenCalled()
  draw()
  expect(listener).toHaveBeenCalledTimes(1)
  expect(store.getState().messages.a?.content).toBe('Hello')
})

it('frames of another chat are not for this one', () => {
  const { feed, scheduled } = openFeed()
  feed.push(frame('x', 0, 'other'))
  feed.push({ type: 'pong' })
  expect(scheduled).toHaveLength(0)
})

it('a gap makes the branch be read again', () => {
  const { feed, reread, draw } = openFeed()
  feed.push(frame('late', 10))
  draw()
  expect(reread).toHaveBeenCalledTimes(1)
})
