import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ListReason, ServerFrame } from '#contract/events.ts'
import type { FolderItem } from '#contract/folders.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'

export interface FoldersState {
  readonly folders: readonly FolderItem[]
  readonly status: 'idle' | 'ready' | 'failed'
  readonly problem: string | null
  readonly renamingId: string | null
}

export type FoldersStore = StoreApi<FoldersState>

export const NO_FOLDERS: FoldersState = Object.freeze({
  folders: [],
  status: 'idle',
  problem: null,
  renamingId: null,
})

export const createFoldersStore = (): FoldersStore => createStore<FoldersState>(() => NO_FOLDERS)

const byName = (a: FolderItem, b: FolderItem): number =>
  a.name.localeCompare(b.name, undefined, { numeric: true })

/** Changes in progress, and the number of changes so far. */
interface Changes {
  readonly underway: ReadonlySet<Promise<unknown>>
  readonly count: number
}

const NO_CHANGES: Changes = Object.freeze({ underway: new Set<Promise<unknown>>(), count: 0 })
const changes = new WeakMap<FoldersStore, Changes>()
const changesOf = (store: FoldersStore): Changes => changes.get(store) ?? NO_CHANGES

/**
 * Performs a change. Folders loaded before it ended may be outdated: they are discarded and loaded
 * again afterwards.
 */
export async function whileChanging<Result>(
  store: FoldersStore,
  act: () => Promise<Result>,
): Promise<Result> {
  const change = act()
  const { underway, count } = changesOf(store)
  changes.set(store, { underway: new Set(underway).add(change), count: count + 1 })
  try {
    return await change
  } finally {
    const now = changesOf(store)
    const others = [...now.underway].filter((each) => each !== change)
    changes.set(store, { underway: new Set(others), count: now.count + 1 })
  }
}

/** Loads all folders; a result loaded during a local change is discarded and loaded again. */
export async function loadFolders(store: FoldersStore): Promise<void> {
  try {
    await Promise.allSettled(changesOf(store).underway)
    const before = changesOf(store).count
    const folders = await call(endpoints.folders.list, {})
    const { count, underway } = changesOf(store)
    if (count !== before || underway.size > 0) return await loadFolders(store)
    store.setState({ folders: folders.toSorted(byName), status: 'ready', problem: null })
  } catch (thrown) {
    store.setState(({ status }) => ({
      status: status === 'ready' ? 'ready' : 'failed',
      problem: toSentence(thrown),
    }))
  }
}

/** Reasons of list changes that may affect folders or their number of chats. */
const REASONS: ReadonlySet<ListReason> = new Set([
  'created',
  'deleted',
  'restored',
  'moved',
  'archived',
  'imported',
  'folders',
])
const RELOAD_AFTER = 150
const reloads = new WeakMap<FoldersStore, ReturnType<typeof setTimeout>>()

/** Applies changes to folders made elsewhere; several hints in a row cause a single load. */
export function applyFoldersFrame(store: FoldersStore, frame: ServerFrame): void {
  if (frame.type !== 'events' || frame.data.type !== 'chat:list') return
  if (!REASONS.has(frame.data.data.reason) || store.getState().status === 'idle') return
  clearTimeout(reloads.get(store))
  reloads.set(
    store,
    setTimeout(() => void loadFolders(store), RELOAD_AFTER),
  )
}

/** Selects the number of chats directly in a folder; null while unknown. */
export const selectChatCount =
  (folderId: string) =>
  (state: FoldersState): number | null =>
    state.folders.find((folder) => folder.id === folderId)?.chat_count ?? null

/** Inserts a folder, or updates the one with its id. */
export const putFolder = (store: FoldersStore, folder: FolderItem): void =>
  store.setState(({ folders }) => {
    const before = folders.find((each) => each.id === folder.id)
    return {
      folders: [
        ...folders.filter((each) => each !== before),
        { chat_count: 0, ...before, ...folder },
      ].toSorted(byName),
    }
  })

export const patchFolder = (store: FoldersStore, id: string, change: Partial<FolderItem>): void =>
  store.setState(({ folders }) => ({
    folders: folders
      .map((folder) => (folder.id === id ? { ...folder, ...change } : folder))
      .toSorted(byName),
  }))

/**
 * Returns the direct subfolders of a folder, or the top-level ones for null. A folder whose parent
 * is missing counts as top-level.
 */
export function childrenOf(
  folders: readonly FolderItem[],
  parentId: string | null,
): readonly FolderItem[] {
  if (parentId !== null) return folders.filter((folder) => folder.parent_id === parentId)
  const ids = new Set(folders.map((folder) => folder.id))
  return folders.filter((folder) => folder.parent_id === null || !ids.has(folder.parent_id))
}

/** Returns a folder and all its descendants, outermost first. */
export function withDescendants(folders: readonly FolderItem[], id: string): readonly FolderItem[] {
  const found = folders.filter((folder) => folder.id === id)
  for (const folder of found)
    found.push(...folders.filter((each) => each.parent_id === folder.id && !found.includes(each)))
  return found
}

export interface FolderLine {
  readonly folder: FolderItem
  readonly depth: number
  /** Names from the outermost folder to this one. */
  readonly path: readonly string[]
}

/** Returns all folders in tree order. */
export function toLines(
  folders: readonly FolderItem[],
  parentId: string | null = null,
  above: readonly string[] = [],
): readonly FolderLine[] {
  return childrenOf(folders, parentId).flatMap((folder) => {
    const path = [...above, folder.name]
    return [{ folder, depth: above.length, path }, ...toLines(folders, folder.id, path)]
  })
}
