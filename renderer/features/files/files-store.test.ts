import { afterEach, expect, test, vi } from 'vitest'
import type { File as StoredFile } from '#contract/files.ts'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { addFile, createFilesStore, followFiles, loadFiles, NO_FILTER } from './files-store.ts'

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
  expect(store.getState()).toMatchObject({ status: 'ready', total: 1, files: [{ id: 'a' }] })
})

test('what the gateway says of a small file before its upload is answered counts', () => {
  const store = createFilesStore()
  const said = { id: 'a', status: 'failed', error: 'It is empty.', progress: null }
  followFiles(store, { type: 'events', chat_id: null, message_id: null, data: { type: 'file:status', data: said } } as never)
  addFile(store, file('a'))
  expect(store.getState().files[0]?.data).toEqual({ status: 'failed', error: 'It is empty.' })
})
