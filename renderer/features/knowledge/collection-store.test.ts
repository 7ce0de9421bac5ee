import { afterEach, expect, it, vi } from 'vitest'
import type { KnowledgeDirectory } from '#contract/knowledge.ts'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import {
  createCollectionStore,
  directoriesOf,
  filesOf,
  followCollection,
  loadCollection,
  putDirectory,
} from './collection-store.ts'

afterEach(() => vi.unstubAllGlobals())

const file = (status: string) => ({ id: 'f', directory_id: null, data: { status } })
const directory: KnowledgeDirectory = {
  id: 'd',
  knowledge_id: 'k',
  user_id: 'u',
  parent_id: null,
  name: 'pumps',
  created_at: 1,
  updated_at: 1,
}

/**
 * Answers the first request with the state before a change, and the second with the state after it.
 */
function setUp(happens: () => void, before: object, after: object): void {
  const replies = [before, after]
  fakeGateway({
    'GET /api/v1/knowledge/k': () => {
      if (replies.length === 2) happens()
      return { id: 'k', files: [], directories: [], ...replies.shift() }
    },
  })
}

it('a directory that was made while the collection was being read stays', async () => {
  const store = createCollectionStore()
  setUp(() => putDirectory(store, directory), {}, { directories: [directory] })
  await loadCollection(store, 'k')
  expect(directoriesOf(store.getState())).toEqual([directory])
})

it('a file that was read to its end while the collection was being read is not shown as being read', async () => {
  const store = createCollectionStore()
  store.setState({ collection: { id: 'k', files: [file('pending')] } as never })
  const event = { id: 'f', status: 'completed', error: null, progress: null }
  const tell = (): void =>
    followCollection(store, {
      type: 'events',
      chat_id: null,
      message_id: null,
      data: { type: 'file:status', data: event },
    } as never)
  setUp(tell, { files: [file('pending')] }, { files: [file('completed')] })
  await loadCollection(store, 'k')
  expect(filesOf(store.getState())[0]?.data.status).toBe('completed')
})
