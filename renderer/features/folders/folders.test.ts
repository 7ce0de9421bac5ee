import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FolderItem } from '#contract/folders.ts'
import { fakeGateway, refusal } from '../../testing/fake-gateway.ts'
import {
  createFolder,
  deleteFolder,
  moveFolder,
  renameFolder,
  restoreFolder,
  setExpanded,
} from './change-folder.ts'
import {
  childrenOf,
  createFoldersStore,
  loadFolders,
  toLines,
  withDescendants,
  type FoldersStore,
} from './folders-store.ts'

const folder = (
  id: string,
  parent: string | null = null,
  part: Partial<FolderItem> = {},
): FolderItem => ({
  id,
  name: id,
  meta: null,
  parent_id: parent,
  is_expanded: false,
  created_at: 1,
  updated_at: 1,
  ...part,
})

let store: FoldersStore
beforeEach(() => {
  store = createFoldersStore()
})
afterEach(() => vi.unstubAllGlobals())

const names = (): string[] => store.getState().folders.map(({ name }) => name)

test('the tree is drawn by name, and a folder without its parent stands at the top', () => {
  const folders = [folder('a'), folder('b', 'a'), folder('c', 'b'), folder('lost', 'nowhere')]
  expect(childrenOf(folders, null).map(({ id }) => id)).toEqual(['a', 'lost'])
  expect(toLines(folders).map(({ path }) => path.join('/'))).toEqual(['a', 'a/b', 'a/b/c', 'lost'])
  expect(withDescendants(folders, 'a').map(({ id }) => id)).toEqual(['a', 'b', 'c'])
})

test('folders are sorted the way people count', async () => {
  fakeGateway({ 'GET /api/v1/folders/': [folder('Part 10'), folder('Part 2')] })
  await loadFolders(store)
  expect(names()).toEqual(['Part 2', 'Part 10'])
})

test('a new folder inside another one opens the outer one', async () => {
  store.setState({ folders: [folder('a')] })
  fakeGateway({
    'POST /api/v1/folders/': folder('b', 'a'),
    'POST /api/v1/folders/a/update/expanded': folder('a'),
  })
  await createFolder(store, 'b', 'a')
  expect(store.getState().folders).toMatchObject([{ id: 'a', is_expanded: true }, { id: 'b' }])
})

test.each([
  ['a name', () => renameFolder(store, folder('a'), 'other'), 'POST /api/v1/folders/a/update'],
  ['a place', () => moveFolder(store, folder('a'), 'b'), 'POST /api/v1/folders/a/update/parent'],
  [
    'an opened folder',
    () => setExpanded(store, folder('a'), true),
    'POST /api/v1/folders/a/update/expanded',
  ],
])('%s the gateway refuses is taken back', async (_, change, route) => {
  store.setState({ folders: [folder('a')] })
  fakeGateway({ [route]: refusal(400, 'There is one of this name.') })
  await expect(change()).rejects.toThrow('There is one of this name.')
  expect(store.getState().folders).toEqual([folder('a')])
})

test('folders that were read while one was opened are read again, so that it stays open', async () => {
  store.setState({ folders: [folder('a')] })
  let isOpen = false
  let reads = 0
  fakeGateway({
    'GET /api/v1/folders/': async () => {
      const rows = [folder('a', null, { is_expanded: isOpen })]
      reads += 1
      if (reads === 1) await setExpanded(store, folder('a'), true)
      return rows
    },
    'POST /api/v1/folders/a/update/expanded': () => {
      isOpen = true
      return folder('a')
    },
  })
  await loadFolders(store)
  expect(reads).toBe(2)
  expect(store.getState().folders).toMatchObject([{ id: 'a', is_expanded: true }])
})

test('folders that arrive before the gateway opened one do not close it', async () => {
  store.setState({ folders: [folder('a')] })
  let isOpen = false
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  fakeGateway({
    'GET /api/v1/folders/': () => [folder('a', null, { is_expanded: isOpen })],
    'POST /api/v1/folders/a/update/expanded': async () => {
      await opened
      isOpen = true
      return folder('a')
    },
  })
  const opening = setExpanded(store, folder('a'), true)
  const loading = loadFolders(store)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(store.getState().folders).toMatchObject([{ id: 'a', is_expanded: true }])
  open()
  await Promise.all([opening, loading])
  expect(store.getState().folders).toMatchObject([{ id: 'a', is_expanded: true }])
  expect(store.getState().status).toBe('ready')
})

test('a folder being deleted does not come back with a list that still has it', async () => {
  const listed = [folder('a'), folder('b')]
  store.setState({ folders: listed })
  let remove = (): void => undefined
  const removed = new Promise<void>((resolve) => (remove = resolve))
  let rows = listed
  fakeGateway({
    'GET /api/v1/folders/': () => rows,
    'DELETE /api/v1/folders/a': async () => {
      await removed
      rows = [folder('b')]
      return true
    },
  })
  const deleting = deleteFolder(store, folder('a'), true)
  const loading = loadFolders(store)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(names()).toEqual(['b'])
  remove()
  await Promise.all([deleting, loading])
  expect(names()).toEqual(['b'])
})

test('a deleted folder goes with the folders in it, and comes back when the gateway refuses', async () => {
  const folders = [folder('a'), folder('b', 'a'), folder('c')]
  store.setState({ folders })
  fakeGateway({
    'DELETE /api/v1/folders/a': refusal(403, 'Not permitted.'),
    'GET /api/v1/folders/': folders,
  })
  const deleted = deleteFolder(store, folder('a'), true)
  expect(names()).toEqual(['c'])
  await expect(deleted).rejects.toThrow('Not permitted.')
  expect(names()).toEqual(['a', 'b', 'c'])
})

test('a deleted folder comes back in one call, and the folders are read again', async () => {
  const gateway = fakeGateway({
    'POST /api/v1/folders/a/restore': folder('a', null, { name: 'a (2)' }),
    'GET /api/v1/folders/': [folder('a', null, { name: 'a (2)' }), folder('b', 'a')],
  })
  expect(await restoreFolder(store, 'a')).toMatchObject({ name: 'a (2)' })
  expect(gateway.calls).toHaveLength(2)
  expect(names()).toEqual(['a (2)', 'b'])
})
