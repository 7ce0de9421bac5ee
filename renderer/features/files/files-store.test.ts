import { afterEach, expect, test, vi } from 'vitest'
import type { File as StoredFile } from '#contract/files.ts'
import { fakeGateway, type SeenCall } from '../../testing/fake-gateway.ts'
import {
  addFile,
  createFilesStore,
  followFiles,
  loadFiles,
  NO_FILTER,
  removeFile,
} from './files-store.ts'

afterEach(() => vi.unstubAllGlobals())

const file = (id: string): StoredFile => ({
  id,
  user_id: 'u1',
  hash: id,
  filename: `${id}.txt`,
  data: { status: 'pending' },
  meta: { name: `${id}.txt`, content_type: 'text/plain', size: 1, data: {}, collection_name: null },
  created_at: 1,
  updated_at: 1,
})

test('a file that arrives while the list is fetched is not lost', async () => {
  const store = createFilesStore()
  let asked = 0
  fakeGateway({
    'GET /api/v1/files/': () => {
      asked += 1
      if (asked > 1) return { items: [file('a')], total: 1 }
      addFile(store, file('a'))
      return { items: [], total: 0 }
    },
    'GET /api/v1/files/usage': {},
  })
  await loadFiles(store, 'u1', NO_FILTER)
  expect(store.getState()).toMatchObject({ status: 'ready', total: 1, items: [{ id: 'a' }] })
})

test('what the gateway says of a small file before its upload is answered counts', () => {
  const store = createFilesStore()
  const said = { id: 'a', status: 'failed', error: 'It is empty.', progress: null }
  followFiles(store, {
    type: 'events',
    chat_id: null,
    message_id: null,
    data: { type: 'file:status', data: said },
  } as never)
  addFile(store, file('a'))
  expect(store.getState().items[0]?.data).toEqual({ status: 'failed', error: 'It is empty.' })
})

test('further files are read from behind those that are listed, however many were deleted meanwhile', async () => {
  const stored = Array.from({ length: 70 }, (_, index) => file(`f${index}`))
  fakeGateway({
    'GET /api/v1/files/': ({ query }: SeenCall) => {
      const start = (Number(query.get('page')) - 1) * 50
      return { items: stored.slice(start, start + 50), total: stored.length }
    },
    'GET /api/v1/files/usage': {},
    'DELETE /api/v1/files/f3': () => stored.splice(3, 1),
  })
  const store = createFilesStore()
  await loadFiles(store, 'u1', NO_FILTER)
  await removeFile(store, 'f3')
  for (let turn = 0; turn < 2; turn += 1) await store.loadMore()
  expect(store.getState().items.map(({ id }) => id)).toEqual(stored.map(({ id }) => id))
})

test('a file that was read to its end while the list was fetched is not shown as being read', async () => {
  const store = createFilesStore()
  let asked = 0
  fakeGateway({
    'GET /api/v1/files/': () => {
      asked += 1
      if (asked > 1) return { items: [{ ...file('a'), data: { status: 'completed' } }], total: 1 }
      const said = { id: 'a', status: 'completed', error: null, progress: null }
      followFiles(store, {
        type: 'events',
        chat_id: null,
        message_id: null,
        data: { type: 'file:status', data: said },
      } as never)
      return { items: [file('a')], total: 1 }
    },
    'GET /api/v1/files/usage': {},
  })
  await loadFiles(store, 'u1', NO_FILTER)
  expect(store.getState().items[0]?.data.status).toBe('completed')
})

test('a file that was read to its end before anything was heard of the gateway is asked for', async () => {
  const store = createFilesStore()
  fakeGateway({
    'GET /api/v1/files/': { items: [{ ...file('a'), data: { status: 'pending' } }], total: 1 },
    'GET /api/v1/files/usage': {},
    'GET /api/v1/files/a': { ...file('a'), data: { status: 'completed', content: 'Its text' } },
  })
  await loadFiles(store, 'u1', NO_FILTER)
  followFiles(store, { type: 'ready', session_id: 's' } as never)
  await expect.poll(() => store.getState().items[0]?.data.status).toBe('completed')
})

test('a file whose status was sent before this window was connected is asked for', async () => {
  const store = createFilesStore()
  fakeGateway({ 'GET /api/v1/files/a': { ...file('a'), data: { status: 'completed' } } })
  addFile(store, file('a'))
  await expect.poll(() => store.getState().items[0]?.data.status).toBe('completed')
})

test('a response that a file is pending does not undo the event that it was read', async () => {
  const store = createFilesStore()
  const said = { id: 'a', status: 'completed', error: null, progress: null }
  let isAsked = false
  fakeGateway({
    'GET /api/v1/files/a': () => {
      followFiles(store, {
        type: 'events',
        chat_id: null,
        message_id: null,
        data: { type: 'file:status', data: said },
      } as never)
      isAsked = true
      return file('a')
    },
  })
  addFile(store, file('a'))
  await expect.poll(() => isAsked).toBe(true)
  await new Promise((resolve) => setImmediate(resolve))
  expect(store.getState().items[0]?.data.status).toBe('completed')
})
