// @vitest-environment jsdom
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import '../../testing/browser-features.ts'
import type { ServerFrame } from '#contract/events.ts'
import { markUnread } from '../../features/chats/change-chat.ts'
import { isUnread, NO_CHATS, selectChat } from '../../features/chats/chats-store.ts'
import { applyChatsFrame, loadChats } from '../../features/chats/load-chats.ts'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { sampleChat } from '../../testing/samples.ts'
import { useMarkRead } from './mark-read.ts'
import { chatsStore } from '../stores.ts'

/** The gateway's clock, in seconds. */
let now = 1000

/** A gateway with one chat that can be marked as read and unread. */
function openGateway(stored = sampleChat({ updated_at: now, last_read_at: now })) {
  const kept = { chat: stored }
  const mark = (at: number) => () => (kept.chat = { ...kept.chat, last_read_at: at })
  const gateway = fakeGateway({
    'GET /api/v1/chats/': () => [kept.chat],
    'GET /api/v1/chats/pinned': [],
    'POST /api/v1/chats/c1/read': () => mark(now)(),
    'POST /api/v1/chats/c1/unread': mark(0),
  })
  const marks = () => gateway.calls.filter(({ path }) => path.endsWith('/read')).length
  return { kept, marks, answers: gateway.answers }
}

const endOfAnswer = (updatedAt: number): ServerFrame => ({
  type: 'events',
  chat_id: 'c1',
  message_id: null,
  data: { type: 'chat:active', data: { active: false, updated_at: updatedAt } },
})

const looksUnread = (): boolean => isUnread(selectChat('c1')(chatsStore.getState())!)
const settled = () => act(() => new Promise((resolve) => setTimeout(resolve)))

beforeEach(() => {
  now = 1000
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
})

afterEach(() => {
  // Removes the chats first, so that leaving them marks nothing as read.
  act(() => chatsStore.setState(NO_CHATS, true))
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('a chat is read when its answer ends in view, before the list is read again', async () => {
  const { kept, marks } = openGateway(
    sampleChat({ updated_at: 1000, last_read_at: 1000, active: true }),
  )
  await loadChats(chatsStore)
  renderHook(() => useMarkRead('c1'))
  await waitFor(() => expect(marks()).toBe(1))
  now = 1001
  kept.chat = { ...kept.chat, updated_at: now, active: false }
  act(() => applyChatsFrame(chatsStore, endOfAnswer(now)))
  await waitFor(() => expect(marks()).toBe(2))
  await loadChats(chatsStore)
  expect(looksUnread()).toBe(false)
})

it('a chat is read when its answer ends in view within the second in which it began', async () => {
  const { marks } = openGateway(sampleChat({ updated_at: 1001, last_read_at: 1000, active: true }))
  await loadChats(chatsStore)
  renderHook(() => useMarkRead('c1'))
  await waitFor(() => expect(marks()).toBe(1))
  await settled()
  now = 1001
  act(() => applyChatsFrame(chatsStore, endOfAnswer(1001)))
  await waitFor(() => expect(marks()).toBe(2))
  await settled()
  expect(looksUnread()).toBe(false)
})

it('a chat is read when its answer ends in view before the first mark is confirmed', async () => {
  const { kept, marks, answers } = openGateway(
    sampleChat({ updated_at: 1000, last_read_at: null, active: true }),
  )
  await loadChats(chatsStore)
  const markNow = answers['POST /api/v1/chats/c1/read']
  const confirmed = Promise.withResolvers<void>()
  const early = { ...kept.chat, last_read_at: 1000 }
  answers['POST /api/v1/chats/c1/read'] = () => confirmed.promise.then(() => early)
  renderHook(() => useMarkRead('c1'))
  await waitFor(() => expect(marks()).toBe(1))
  answers['POST /api/v1/chats/c1/read'] = markNow
  now = 1001
  act(() => applyChatsFrame(chatsStore, endOfAnswer(1001)))
  await act(async () => confirmed.resolve())
  await waitFor(() => expect(marks()).toBe(2))
  await settled()
  expect(looksUnread()).toBe(false)
})

it('a chat whose answer ends elsewhere shows at once that there is something new', async () => {
  openGateway(sampleChat({ updated_at: 1000, last_read_at: 1000, active: true }))
  await loadChats(chatsStore)
  renderHook(() => useMarkRead(null))
  act(() => applyChatsFrame(chatsStore, endOfAnswer(1001)))
  expect(looksUnread()).toBe(true)
})

it.each([
  ['knows of it', () => Promise.resolve(chatsStore.setState({ status: 'ready' }))],
  ['heard of the last change in it', () => loadChats(chatsStore)],
])('a chat that is left before the list %s has been read', async (_, prepare) => {
  const { kept, marks } = openGateway()
  await prepare()
  const { rerender } = renderHook(({ id }) => useMarkRead(id), {
    initialProps: { id: 'c1' as string | null },
  })
  await waitFor(() => expect(marks()).toBe(1))
  now = 1001
  kept.chat = { ...kept.chat, updated_at: now }
  rerender({ id: null })
  await waitFor(() => expect(marks()).toBe(2))
  await loadChats(chatsStore)
  expect(looksUnread()).toBe(false)
})

it('a chat that was marked as unread while it was in view stays so when it is left at once', async () => {
  const { marks } = openGateway()
  await loadChats(chatsStore)
  const { rerender } = renderHook(({ id }) => useMarkRead(id), {
    initialProps: { id: 'c1' as string | null },
  })
  await waitFor(() => expect(marks()).toBe(1))
  await settled()
  const marked = markUnread(chatsStore, selectChat('c1')(chatsStore.getState())!)
  rerender({ id: null })
  await marked
  await settled()
  expect(marks()).toBe(1)
  expect(looksUnread()).toBe(true)
})

it('a chat that is left because it was deleted, or because the person signed out, is not marked', async () => {
  const { marks } = openGateway()
  await loadChats(chatsStore)
  const { rerender } = renderHook(({ id }) => useMarkRead(id), {
    initialProps: { id: 'c1' as string | null },
  })
  await waitFor(() => expect(marks()).toBe(1))
  chatsStore.setState({ chats: [], leaving: new Set(['c1']) })
  rerender({ id: null })
  chatsStore.setState({ leaving: new Set() })
  rerender({ id: 'c1' })
  await waitFor(() => expect(marks()).toBe(2))
  act(() => chatsStore.setState(NO_CHATS, true))
  rerender({ id: null })
  await settled()
  expect(marks()).toBe(2)
})

it('a list that was read before a chat was marked does not take the mark back', async () => {
  const { kept, marks, answers } = openGateway(sampleChat({ updated_at: 1001, last_read_at: 1000 }))
  await loadChats(chatsStore)
  const early = kept.chat
  const arrival = Promise.withResolvers<void>()
  answers['GET /api/v1/chats/'] = () => arrival.promise.then(() => [early])
  now = 1001
  const loaded = loadChats(chatsStore)
  renderHook(() => useMarkRead('c1'))
  await waitFor(() => expect(marks()).toBeGreaterThan(0))
  await waitFor(() => expect(looksUnread()).toBe(false))
  arrival.resolve()
  await loaded
  expect(looksUnread()).toBe(false)
})
