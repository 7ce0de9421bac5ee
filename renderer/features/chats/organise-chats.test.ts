import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeGateway, refusal } from '../../testing/fake-gateway.ts'
import { sampleChat } from '../../testing/samples.ts'
import {
  addTag,
  archiveChat,
  markRead,
  moveChat,
  removeTag,
  togglePin,
  unarchiveChat,
} from './change-chat.ts'
import {
  createChatsStore,
  isUnread,
  neighbourOf,
  selectChat,
  selectFolderChats,
  type ChatsStore,
} from './chats-store.ts'
import { loadChats } from './load-chats.ts'
import { forgetFolderChats, loadFolderChats } from './load-folder-chats.ts'
import { listFilters, searchMore, withFilter, withoutFilter } from './search-chats.ts'
import {
  selectAll,
  selectedChats,
  selectRange,
  setSelecting,
  toggleSelected,
} from './select-chats.ts'
import { countTags } from './tags-dialog.tsx'

let store: ChatsStore
beforeEach(() => {
  store = createChatsStore()
})
afterEach(() => vi.unstubAllGlobals())

const inFolder = (): string[] => selectFolderChats('f1')(store.getState()).map((chat) => chat.id)

describe('chats in folders', () => {
  test('are read when the folder is opened, page by page, and stay when the list is read again', async () => {
    const rows = Array.from({ length: 13 }, (_, index) =>
      sampleChat({ id: `c${index}`, folder_id: 'f1', updated_at: 500 - index }),
    )
    fakeGateway({
      'GET /api/v1/chats/folder/f1/list': ({ query }: { query: URLSearchParams }) =>
        query.get('page') === '1' ? rows.slice(0, 10) : rows.slice(10),
      'GET /api/v1/chats/': [sampleChat({ id: 'loose' })],
      'GET /api/v1/chats/pinned': [],
    })
    await loadFolderChats(store, 'f1')
    expect(inFolder()).toHaveLength(10)
    expect(store.getState().folders.f1).toMatchObject({ hasMore: true })
    await loadFolderChats(store, 'f1', { more: true })
    expect(inFolder()).toHaveLength(13)
    expect(store.getState().folders.f1).toMatchObject({ hasMore: false, pagesLoaded: 2 })
    await loadChats(store)
    expect(inFolder()).toHaveLength(13)
    forgetFolderChats(store, 'f1')
    expect(store.getState().chats.map((chat) => chat.id)).toEqual(['loose'])
  })

  test('a chat moved elsewhere by another window leaves the folder when it is read again', async () => {
    store.setState({ chats: [sampleChat({ id: 'gone', folder_id: 'f1' })] })
    fakeGateway({ 'GET /api/v1/chats/folder/f1/list': [] })
    await loadFolderChats(store, 'f1')
    expect(inFolder()).toEqual([])
  })

  test('the list asks for all chats where folders are switched off', async () => {
    store.setState({ hasFolders: false })
    const gateway = fakeGateway({
      'GET /api/v1/chats/': [sampleChat({ folder_id: 'f1' })],
      'GET /api/v1/chats/pinned': [],
    })
    await loadChats(store)
    expect(gateway.calls[0]?.query.get('include_folders')).toBe('true')
    expect(neighbourOf(store.getState(), null, 1)?.id).toBe('c1')
  })

  test('moving shows at once and is taken back when the gateway refuses', async () => {
    store.setState({ chats: [sampleChat()] })
    fakeGateway({ 'POST /api/v1/chats/c1/folder': refusal(404, 'No such folder.') })
    const moved = moveChat(store, sampleChat(), 'f1')
    expect(inFolder()).toEqual(['c1'])
    await expect(moved).rejects.toThrow('No such folder.')
    expect(inFolder()).toEqual([])
  })

  test('neighbours of a chat in a folder are the others in it', () => {
    const chats = [
      sampleChat({ id: 'a' }),
      sampleChat({ id: 'b', folder_id: 'f1' }),
      sampleChat({ id: 'c', folder_id: 'f1' }),
    ]
    store.setState({ chats })
    expect(neighbourOf(store.getState(), 'b', 1)?.id).toBe('c')
    expect(neighbourOf(store.getState(), 'c', 1)).toBeNull()
    expect(neighbourOf(store.getState(), 'a', 1)).toBeNull()
  })
})

describe('the archive', () => {
  test('a chat leaves the list, can still be shown, and comes back into its folder', async () => {
    const chat = sampleChat({ folder_id: 'f1' })
    store.setState({ chats: [chat] })
    let archived = false
    fakeGateway({
      'POST /api/v1/chats/c1/archive': () =>
        sampleChat({ archived: (archived = !archived), folder_id: null }),
      'POST /api/v1/chats/c1/folder': () => sampleChat({ folder_id: 'f1' }),
    })
    await archiveChat(store, chat)
    expect(store.getState().chats).toEqual([])
    expect(selectChat('c1')(store.getState())).toMatchObject({ archived: true })
    await unarchiveChat(store, chat, 'f1')
    expect(inFolder()).toEqual(['c1'])
    expect(store.getState().aside).toEqual([])
  })
})

describe('marks', () => {
  test('a chat is unread when something came after it was looked at, and not while an answer is being written', () => {
    expect(isUnread(sampleChat({ updated_at: 9 }))).toBe(false)
    expect(isUnread(sampleChat({ updated_at: 9, last_read_at: 8 }))).toBe(true)
    expect(isUnread(sampleChat({ updated_at: 9, last_read_at: 9 }))).toBe(false)
    expect(isUnread(sampleChat({ updated_at: 9, last_read_at: 8, active: true }))).toBe(false)
  })

  test('opening a chat that is not in the list makes it known, so that it can be pinned', async () => {
    fakeGateway({
      'POST /api/v1/chats/c9/read': sampleChat({ id: 'c9', last_read_at: 1000 }),
      'POST /api/v1/chats/c9/pin': sampleChat({ id: 'c9', pinned: true }),
    })
    await markRead(store, 'c9')
    expect(store.getState().chats).toEqual([])
    await togglePin(store, selectChat('c9')(store.getState())!)
    expect(store.getState().chats.map((chat) => chat.id)).toEqual(['c9'])
  })

  test('tags come and go at once', async () => {
    store.setState({ chats: [sampleChat()] })
    const tag = (name: string) => ({ id: name, name, user_id: 'u', meta: null })
    fakeGateway({
      'POST /api/v1/chats/c1/tags': [tag('garden')],
      'DELETE /api/v1/chats/c1/tags': [],
    })
    const added = addTag(store, sampleChat(), 'garden')
    expect(store.getState().chats[0]?.tags).toEqual(['garden'])
    await added
    await removeTag(store, sampleChat({ tags: ['garden'] }), 'garden')
    expect(store.getState().chats[0]?.tags).toEqual([])
  })

  test('tags of several chats are counted, the most frequent first', () => {
    expect(countTags([['a', 'b'], ['b'], []])).toEqual([
      { name: 'b', count: 2 },
      { name: 'a', count: 1 },
    ])
  })
})

describe('choosing several chats', () => {
  const drawn = ['a', 'b', 'c', 'd']

  test('a range goes from the one chosen last to the one clicked, in the drawn order', () => {
    toggleSelected(store, 'c')
    selectRange(store, drawn, 'a')
    expect([...store.getState().selection!].toSorted()).toEqual(['a', 'b', 'c'])
    selectRange(store, drawn, 'd')
    expect([...store.getState().selection!].toSorted()).toEqual(drawn)
  })

  test('all are chosen, single ones taken out, and ending forgets the choice', () => {
    store.setState({ chats: drawn.map((id) => sampleChat({ id })) })
    selectAll(store, drawn)
    toggleSelected(store, 'b')
    expect(selectedChats(store).map((chat) => chat.id)).toEqual(['a', 'c', 'd'])
    setSelecting(store, false)
    expect(store.getState().selection).toBeNull()
    expect(selectedChats(store)).toEqual([])
  })
})

describe('filters of the search', () => {
  test('a filter joins the words, replaces one of its name, and quotes what has spaces', () => {
    expect(withFilter('red rose', 'tag', 'garden')).toBe('red rose tag:garden')
    expect(withFilter('tag:old red', 'tag', 'my garden')).toBe('red tag:"my garden"')
    expect(withoutFilter('folder:"a b" x', 'folder')).toBe('x')
    expect(listFilters('x after:2026-01-31 folder:"a b" Pinned:TRUE tag:old tag:new')).toEqual([
      { name: 'after', value: '2026-01-31' },
      { name: 'folder', value: 'a b' },
      { name: 'pinned', value: 'true' },
      { name: 'tag', value: 'new' },
    ])
    expect(listFilters('after:yesterday pinned:maybe https://x.org before:')).toEqual([])
  })

  test('the next page is added to what was found', async () => {
    const hit = { ...sampleChat(), message_id: 'm1', snippet: null }
    store.setState({
      search: {
        text: 'red',
        status: 'done',
        hits: [hit],
        pagesLoaded: 1,
        hasMore: true,
        problem: null,
      },
    })
    const gateway = fakeGateway({ 'GET /api/v1/chats/search': [{ ...hit, message_id: 'm2' }] })
    await searchMore(store)
    expect(gateway.calls[0]?.query.get('page')).toBe('2')
    expect(store.getState().search).toMatchObject({
      hasMore: false,
      hits: [{ message_id: 'm1' }, { message_id: 'm2' }],
    })
  })
})
