import { afterEach, expect, it, vi } from 'vitest'
import type { ChatDeps } from './chat-deps.ts'
import { createChatStore } from './chat-store.ts'
import { emptyDraft, keepDraft, readDraft } from './draft.ts'
import { MessageQueue } from './message-queue.ts'

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
