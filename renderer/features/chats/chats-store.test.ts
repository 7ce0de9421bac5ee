import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { EventData, ServerFrame } from '#contract/events.ts'
import { fakeGateway, refusal } from '../../testing/fake-gateway.ts'
import { sampleChat } from '../../testing/samples.ts'
import { deleteChat, renameChat, restoreChat, togglePin } from './change-chat.ts'
import { createChatsStore, neighbourOf, PAGE_SIZE, type ChatsStore } from './chats-store.ts'
import { applyChatsFrame, loadChats, loadMoreChats } from './load-chats.ts'
import { splitSnippet, toPlainLine } from '../../lib/snippet.ts'
import { searchChats, splitTitle } from './search-chats.ts'

let store: ChatsStore
beforeEach(() => {
  store = createChatsStore()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const ids = (): string[] =>
  store
    .getState()
    .chats.toSorted((a, b) => Number(b.pinned) - Number(a.pinned))
    .map((chat) => chat.id)
const frame = (chat_id: string, type: EventData['type'], data: unknown): ServerFrame => ({
  type: 'events',
  chat_id,
  message_id: null,
  data: { type, data } as EventData,
})
const page = (count: number, from: number) =>
  Array.from({ length: count }, (_, index) =>
    sampleChat({ id: `c${from + index}`, updated_at: 10_000 - from - index }),
  )

describe('the chat list', () => {
  test('shows pinned chats first and the others newest first', async () => {
    const old = sampleChat({ id: 'old', updated_at: 1, pinned: true })
    fakeGateway({
      'GET /api/v1/chats/': [
        sampleChat({ id: 'a', updated_at: 5 }),
        sampleChat({ id: 'b', updated_at: 9 }),
      ],
      'GET /api/v1/chats/pinned': [old],
    })
    await loadChats(store)
    expect(ids()).toEqual(['old', 'b', 'a'])
    expect(store.getState().hasMore).toBe(false)
  })

  test('grows page by page and keeps later pages when the first one is read again', async () => {
    const gateway = fakeGateway({
      'GET /api/v1/chats/': (call: { query: URLSearchParams }) =>
        call.query.get('page') === '1' ? page(PAGE_SIZE, 0) : page(5, PAGE_SIZE),
      'GET /api/v1/chats/pinned': [],
    })
    await loadChats(store)
    await Promise.all([loadMoreChats(store), loadMoreChats(store)])
    expect(gateway.calls.filter((call) => call.query.get('page') === '2')).toHaveLength(1)
    expect(ids()).toHaveLength(PAGE_SIZE + 5)
    await loadChats(store)
    expect(ids()).toHaveLength(PAGE_SIZE + 5)
    expect(store.getState().hasMore).toBe(false)
  })

  test('goes on behind the chats that are known, however many were deleted meanwhile', async () => {
    const stored = page(2 * PAGE_SIZE + 10, 0)
    fakeGateway({
      'GET /api/v1/chats/': ({ query }: { query: URLSearchParams }) => {
        const start = (Number(query.get('page')) - 1) * PAGE_SIZE
        return stored.slice(start, start + PAGE_SIZE)
      },
      'GET /api/v1/chats/pinned': [],
      'DELETE /api/v1/chats/c3': () => stored.splice(3, 1).length === 1,
    })
    await loadChats(store)
    await loadMoreChats(store)
    await deleteChat(store, stored[3]!)
    for (let turn = 0; turn < 2; turn += 1) await loadMoreChats(store)
    expect(ids()).toEqual(stored.map(({ id }) => id))
    expect(store.getState().hasMore).toBe(false)
  })

  test('forgets a chat that is gone from a complete list', async () => {
    store.setState({ chats: [sampleChat({ id: 'gone' })], status: 'ready' })
    fakeGateway({
      'GET /api/v1/chats/': [sampleChat({ id: 'here' })],
      'GET /api/v1/chats/pinned': [],
    })
    await loadChats(store)
    expect(ids()).toEqual(['here'])
  })

  test('says why it could not be loaded, and stays as it is when it was there before', async () => {
    fakeGateway({ 'GET /api/v1/chats/': refusal(503, 'Stopping.'), 'GET /api/v1/chats/pinned': [] })
    await loadChats(store)
    expect(store.getState()).toMatchObject({ status: 'failed', problem: 'Stopping.' })
    store.setState({ status: 'ready' })
    await loadChats(store)
    expect(store.getState().status).toBe('ready')
  })

  test('follows titles and running answers of other windows', () => {
    store.setState({ chats: [sampleChat()] })
    applyChatsFrame(store, frame('c1', 'chat:title', { title: 'New name' }))
    applyChatsFrame(store, frame('c1', 'chat:active', { active: true }))
    expect(store.getState().chats[0]).toMatchObject({ title: 'New name', active: true })
  })

  test('keeps a title that is told while an older list is on its way', async () => {
    vi.useFakeTimers()
    const titles = ['Old name', 'New name']
    fakeGateway({
      'GET /api/v1/chats/': () => [sampleChat({ title: titles.shift()! })],
      'GET /api/v1/chats/pinned': [],
    })
    const reading = loadChats(store)
    applyChatsFrame(store, frame('c1', 'chat:title', { title: 'New name' }))
    await reading
    await vi.advanceTimersByTimeAsync(1000)
    expect(store.getState().chats[0]?.title).toBe('New name')
  })

  test('reads again once for several hints in a row', async () => {
    vi.useFakeTimers()
    const gateway = fakeGateway({ 'GET /api/v1/chats/': [], 'GET /api/v1/chats/pinned': [] })
    for (let count = 0; count < 5; count += 1)
      applyChatsFrame(store, frame('c9', 'chat:list', { reason: 'created' }))
    await vi.advanceTimersByTimeAsync(1000)
    expect(gateway.calls).toHaveLength(2)
  })

  test('steps to the neighbours in the order that is drawn', () => {
    store.setState({
      chats: [
        sampleChat({ id: 'a' }),
        sampleChat({ id: 'b' }),
        sampleChat({ id: 'p', pinned: true }),
      ],
    })
    expect(neighbourOf(store.getState(), 'p', 1)?.id).toBe('a')
    expect(neighbourOf(store.getState(), 'p', -1)).toBeNull()
    expect(neighbourOf(store.getState(), null, 1)?.id).toBe('p')
  })
})

describe('changing a chat', () => {
  test('shows a new title at once and takes it back when the gateway refuses', async () => {
    store.setState({ chats: [sampleChat({ title: 'Before' })] })
    fakeGateway({ 'POST /api/v1/chats/c1': refusal(507, 'The disk is full.') })
    const renamed = renameChat(store, sampleChat({ title: 'Before' }), '  After ')
    expect(store.getState().chats[0]?.title).toBe('After')
    await expect(renamed).rejects.toThrow('The disk is full.')
    expect(store.getState().chats[0]?.title).toBe('Before')
  })

  test('sends nothing for an empty or unchanged title', async () => {
    const gateway = fakeGateway({})
    await renameChat(store, sampleChat({ title: 'Same' }), ' Same ')
    await renameChat(store, sampleChat({ title: 'Same' }), '   ')
    expect(gateway.calls).toEqual([])
  })

  test('pins as the gateway says', async () => {
    store.setState({ chats: [sampleChat()] })
    fakeGateway({ 'POST /api/v1/chats/c1/pin': sampleChat({ pinned: true }) })
    await togglePin(store, sampleChat())
    expect(store.getState().chats[0]?.pinned).toBe(true)
  })

  test('a deleted chat does not come back with a list fetched meanwhile, but does by undo', async () => {
    store.setState({ chats: [sampleChat()] })
    fakeGateway({
      'DELETE /api/v1/chats/c1': true,
      'POST /api/v1/chats/c1/restore': sampleChat(),
      'GET /api/v1/chats/': [sampleChat()],
      'GET /api/v1/chats/pinned': [],
    })
    const deleted = deleteChat(store, sampleChat())
    await loadChats(store)
    await deleted
    expect(ids()).toEqual([])
    await restoreChat(store, 'c1')
    expect(ids()).toEqual(['c1'])
  })

  test('a chat that could not be deleted stays', async () => {
    store.setState({ chats: [sampleChat()] })
    fakeGateway({ 'DELETE /api/v1/chats/c1': refusal(404, 'Not found') })
    await expect(deleteChat(store, sampleChat())).rejects.toThrow('Not found')
    expect(ids()).toEqual(['c1'])
  })
})

describe('search', () => {
  test('waits for the last letter and asks once', async () => {
    vi.useFakeTimers()
    const hit = { ...sampleChat(), message_id: 'm1', snippet: null }
    const gateway = fakeGateway({ 'GET /api/v1/chats/search': [hit] })
    for (const text of ['g', 'ga', 'garden ']) searchChats(store, text)
    await vi.advanceTimersByTimeAsync(1000)
    expect(gateway.calls.map((call) => call.query.get('text'))).toEqual(['garden'])
    expect(store.getState().search).toMatchObject({ status: 'done', text: 'garden ', hits: [hit] })
    searchChats(store, '')
    expect(store.getState().search).toMatchObject({ status: 'idle', hits: [] })
  })

  test('marks the beginnings of words in a title', () => {
    expect(splitTitle('Roses (and prose)', 'ros +and')).toEqual([
      { text: 'Ros', match: true },
      { text: 'es (', match: false },
      { text: 'and', match: true },
      { text: ' prose)', match: false },
    ])
    expect(splitTitle('Roses', '***')).toEqual([{ text: 'Roses', match: false }])
  })

  test('an excerpt of a note is its words on one line, without the marks of Markdown', () => {
    expect(toPlainLine('# Oven\n\n- [x] **flour**\n- `rye`\n> quoted, 3 - 2')).toBe(
      'Oven · flour · rye · quoted, 3 - 2',
    )
  })

  test('marks the matches of an excerpt', () => {
    expect(splitSnippet('Days:\n| Day | Oven |\n|---|:--|\n| Fri | hot |')).toEqual([
      { text: 'Days:\nDay, Oven\nFri, hot', match: false },
    ])
    expect(splitSnippet('a **\uE000red\uE001** `rose`')).toEqual([
      { text: 'a ', match: false },
      { text: 'red', match: true },
      { text: ' rose', match: false },
    ])
  })
})
