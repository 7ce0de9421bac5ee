import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { type ChatsStore, type FolderPages, mergeChats, withMarks } from './chats-store.ts'

/** Page size for the chats of a folder. */
const FOLDER_PAGE_SIZE = 10

const NOTHING_READ: FolderPages = {
  status: 'loading',
  problem: null,
  pagesLoaded: 0,
  hasMore: false,
}

const note = (store: ChatsStore, folderId: string, change: Partial<FolderPages>): void =>
  store.setState(({ folders }) => ({
    folders: { ...folders, [folderId]: { ...(folders[folderId] ?? NOTHING_READ), ...change } },
  }))

async function readFolder(store: ChatsStore, folderId: string, page: number): Promise<void> {
  const rows = await call(endpoints.chats.listInFolder, {
    params: { folder_id: folderId },
    query: { page },
  })
  const isFull = rows.length === FOLDER_PAGE_SIZE
  const oldest = page === 1 && isFull ? (rows.at(-1)?.updated_at ?? Infinity) : -Infinity
  store.setState((state) => {
    const { chats, leaving, folders } = state
    const before = folders[folderId]
    // A first page is authoritative for its part of the folder.
    const kept =
      page === 1
        ? chats.filter(
            (chat) => chat.folder_id !== folderId || chat.pinned || chat.updated_at < oldest,
          )
        : chats
    const arrived = withMarks(state, rows).filter((chat) => !leaving.has(chat.id))
    const pages: FolderPages = {
      status: 'ready',
      problem: null,
      pagesLoaded: Math.max(page, before?.pagesLoaded ?? 0),
      hasMore: page === 1 && before && before.pagesLoaded > 1 ? before.hasMore && isFull : isFull,
    }
    return { chats: mergeChats(kept, arrived), folders: { ...folders, [folderId]: pages } }
  })
}

/** Loads the newest chats of a folder, or the page after those already loaded. */
export async function loadFolderChats(
  store: ChatsStore,
  folderId: string,
  options: { more?: boolean } = {},
): Promise<void> {
  const page = options.more ? (store.getState().folders[folderId]?.pagesLoaded ?? 0) + 1 : 1
  if (!store.getState().folders[folderId]) note(store, folderId, {})
  try {
    await readFolder(store, folderId, page)
  } catch (thrown) {
    note(store, folderId, { status: 'failed', problem: toSentence(thrown) })
  }
}

/** Discards the loaded state of a deleted folder. */
export function forgetFolderChats(store: ChatsStore, folderId: string): void {
  store.setState(({ chats, folders }) => {
    const rest = { ...folders }
    delete rest[folderId]
    return {
      folders: rest,
      chats: chats.filter((chat) => chat.folder_id !== folderId || chat.pinned),
    }
  })
}
