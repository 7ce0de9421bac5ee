// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest'
import type { ChatDeps } from '../chat-deps.ts'
import { type ChatStore, createChatStore, patchMessage, withPage } from '../chat-store.ts'
import { emptyDraft, keepDraft, readDraft } from './draft.ts'
import { MessageQueue } from './message-queue.ts'
import {
  answer as message,
  createFakeApi,
  createFakeDeps,
  page,
  question,
} from '../testing-chat.ts'

const deps = { newId: () => 'waiting' } as unknown as ChatDeps
const model = { id: 'm', name: 'M', isLocal: true }
const leave = (): boolean => window.dispatchEvent(new Event('pagehide'))

function queueIn(chatId: string): MessageQueue {
  const queue = new MessageQueue(createChatStore(chatId), deps)
  const draft = { text: 'first', pastes: [] }
  queue.add({ draft, attached: [], message: { text: 'first', model } })
  return queue
}

afterEach(() => localStorage.clear())

it('what waits becomes a draft when the window goes, in front of what is being typed', () => {
  const queue = queueIn('chat')
  keepDraft('chat', { text: 'second', pastes: [] })
  leave()
  expect(readDraft('chat').text).toBe('first\n\nsecond')
  queue.remove('waiting')
  keepDraft('chat', emptyDraft)
  leave()
  expect(readDraft('chat')).toEqual(emptyDraft)
})

it('nothing of a temporary chat is kept', () => {
  const keep = vi.spyOn(Storage.prototype, 'setItem')
  queueIn('temporary:one')
  leave()
  expect(keep).not.toHaveBeenCalled()
  keep.mockRestore()
})

const asked = (): [MessageQueue, ChatStore, ReturnType<typeof createFakeApi>] => {
  const api = createFakeApi()
  const store = createChatStore('chat')
  const answer = message('a', { role: 'assistant', content: 'half', done: false })
  store.setState((state) => withPage(state, page([question('q'), answer])), true)
  return [new MessageQueue(store, createFakeDeps(api)), store, api]
}

const add = (queue: MessageQueue, text: string): string =>
  queue.add({ draft: { text, pastes: [] }, attached: [], message: { text, model } })

const texts = (queue: MessageQueue): string[] =>
  queue.store.getState().map(({ draft }) => draft.text)

it('messages that wait are put in another order', () => {
  const [queue] = asked()
  const ids = ['one', 'two', 'three'].map((text) => add(queue, text))
  queue.move(ids[2]!, 0)
  expect(texts(queue)).toEqual(['three', 'one', 'two'])
  queue.move(ids[2]!, 1)
  expect(texts(queue)).toEqual(['one', 'three', 'two'])
  queue.move('nobody', 0)
  expect(texts(queue)).toEqual(['one', 'three', 'two'])
})

it('a message that steers stops the answer, keeps what is there of it and goes before the others', async () => {
  const [queue, store, api] = asked()
  add(queue, 'later')
  const id = add(queue, 'now')
  await queue.steer(id)
  expect(api.asked.map(([name]) => name)).toContain('stop')
  expect(texts(queue)).toEqual(['now', 'later'])
  store.setState(
    (state) => patchMessage(state, 'a', { done: true, error: { content: '', code: 'stopped' } }),
    true,
  )
  expect(texts(queue)).toEqual(['later'])
  const { order, messages } = store.getState()
  expect(messages['a']?.content).toBe('half')
  expect(order.map((each) => messages[each]?.content)).toContain('now')
})

it('after a stop nobody steered by, messages wait for a word, also when the steering one was taken out', async () => {
  const [queue, store] = asked()
  add(queue, 'later')
  const id = add(queue, 'now')
  await queue.steer(id)
  queue.remove(id)
  store.setState(
    (state) => patchMessage(state, 'a', { done: true, error: { content: '', code: 'stopped' } }),
    true,
  )
  expect(texts(queue)).toEqual(['later'])
})

it('an answer that cannot be stopped leaves the message waiting and says why', async () => {
  const [queue, , api] = asked()
  vi.spyOn(api, 'stop').mockRejectedValue(new Error('away'))
  const id = add(queue, 'now')
  await expect(queue.steer(id)).rejects.toThrow('away')
  expect(texts(queue)).toEqual(['now'])
})
