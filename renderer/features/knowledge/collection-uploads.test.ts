import { afterEach, expect, test, vi } from 'vitest'
import type { KnowledgeDirectory } from '#contract/knowledge.ts'
import type { FileUploads, Upload } from '../../api/file-uploads.ts'
import { createStore } from 'zustand/vanilla'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { createCollectionUploads } from './collection-uploads.ts'

afterEach(() => vi.unstubAllGlobals())

/** A queue whose files are uploaded and processed at once. */
function createQuickUploads(): FileUploads {
  const store = createStore<{ uploads: readonly Upload[] }>(() => ({ uploads: [] }))
  const drop = (key: string): void =>
    store.setState(({ uploads }) => ({ uploads: uploads.filter((each) => each.key !== key) }))
  return {
    store,
    add(files) {
      const uploads = files.map(({ name, size, type }): Upload => ({
        key: name,
        name,
        size,
        type,
        state: 'reading',
        sent: 1,
        progress: null,
        fileId: `id-${name}`,
        problem: null,
      }))
      store.setState({ uploads })
      queueMicrotask(() =>
        store.setState({ uploads: uploads.map((each) => ({ ...each, state: 'ready' })) }),
      )
      return uploads.map(({ key }) => key)
    },
    cancel: drop,
    forget: drop,
    retry: () => undefined,
    handleFrame: () => undefined,
    refresh: () => undefined,
  }
}

const found = (name: string, ...folders: string[]) => ({ file: new File(['x'], name), folders })

test('folders become directories once, and what arrived goes in together; what is refused is told and deleted', async () => {
  const made: unknown[] = []
  const gateway = fakeGateway({
    'POST /api/v1/knowledge/k/dirs/create': ({ body }: { body: unknown }) => {
      made.push(body)
      return { id: `d${made.length}` }
    },
    'POST /api/v1/knowledge/k/files/batch/add': {
      id: 'k',
      warnings: { message: '', errors: ['id-copy.txt: Duplicate content: again.'] },
    },
    'DELETE /api/v1/files/id-copy.txt': { message: 'gone' },
  })
  const onChanged = vi.fn()
  const known = {
    id: 'known',
    knowledge_id: 'k',
    user_id: 'u',
    parent_id: null,
    name: 'manuals',
    created_at: 1,
    updated_at: 1,
  }
  const into = createCollectionUploads({
    knowledgeId: 'k',
    uploads: createQuickUploads(),
    onChanged,
    onDirectory: () => undefined,
    directories: () => [known],
  })
  await into.add(
    [found('a.txt', 'manuals', 'pumps'), found('b.txt', 'manuals', 'pumps'), found('copy.txt')],
    null,
  )
  await vi.waitFor(() => expect(into.store.getState().added).toBe(2))
  expect(made).toEqual([{ name: 'pumps', parent_id: 'known' }])
  const sent = gateway.calls.find(({ path }) => path.endsWith('/batch/add'))
  expect(sent?.body).toEqual([
    { file_id: 'id-a.txt', directory_id: 'd1' },
    { file_id: 'id-b.txt', directory_id: 'd1' },
    { file_id: 'id-copy.txt', directory_id: null },
  ])
  expect(into.store.getState().refused).toEqual([
    { name: 'copy.txt', problem: 'Duplicate content: again.' },
  ])
  expect(
    gateway.calls.some(({ method, path }) => method === 'DELETE' && path.endsWith('id-copy.txt')),
  ).toBe(true)
  expect(into.uploads.store.getState().uploads).toEqual([])
  expect(onChanged).toHaveBeenCalledOnce()
})

test('a folder that is added again while its directories are being made goes into the same ones', async () => {
  const made = Promise.withResolvers<void>()
  const directories: KnowledgeDirectory[] = []
  const gateway = fakeGateway({
    'POST /api/v1/knowledge/k/dirs/create': async ({ body }: { body: { name: string } }) => {
      await made.promise
      return {
        id: `d-${body.name}`,
        knowledge_id: 'k',
        user_id: 'u',
        parent_id: null,
        name: body.name,
        created_at: 1,
        updated_at: 1,
      }
    },
    'POST /api/v1/knowledge/k/files/batch/add': { id: 'k' },
  })
  const into = createCollectionUploads({
    knowledgeId: 'k',
    uploads: createQuickUploads(),
    onChanged: () => undefined,
    onDirectory: (directory) => directories.push(directory),
    directories: () => directories,
  })
  const both = Promise.all([
    into.add([found('a.txt', 'pumps')], null),
    into.add([found('b.txt', 'pumps')], null),
  ])
  made.resolve()
  await both
  await into.add([found('c.txt', 'pumps')], null)
  expect(gateway.calls.filter(({ path }) => path.endsWith('/dirs/create'))).toHaveLength(1)
})
