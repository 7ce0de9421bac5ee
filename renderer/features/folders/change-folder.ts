import type { Folder, FolderItem } from '#contract/folders.ts'
import { call, endpoints } from '../../api/client.ts'
import {
  type FoldersStore,
  loadFolders,
  patchFolder,
  putFolder,
  whileChanging,
  withDescendants,
} from './folders-store.ts'

/** Creates a folder and reveals it in the list. */
export async function createFolder(
  store: FoldersStore,
  name: string,
  parentId: string | null,
): Promise<Folder> {
  const folder = await whileChanging(store, async () => {
    const created = await call(endpoints.folders.create, { body: { name, parent_id: parentId } })
    putFolder(store, created)
    return created
  })
  const parent = store.getState().folders.find((each) => each.id === parentId)
  if (parent && !parent.is_expanded) await setExpanded(store, parent, true)
  return folder
}

/** Shows a change immediately; restores the old values if the gateway refuses. */
async function change(
  store: FoldersStore,
  folder: FolderItem,
  patch: Partial<FolderItem>,
  send: () => Promise<unknown>,
): Promise<void> {
  await whileChanging(store, async () => {
    patchFolder(store, folder.id, patch)
    try {
      await send()
    } catch (thrown) {
      patchFolder(store, folder.id, folder)
      throw thrown
    }
  })
}

export async function renameFolder(
  store: FoldersStore,
  folder: FolderItem,
  name: string,
): Promise<void> {
  store.setState({ renamingId: null })
  const wanted = name.trim()
  if (!wanted || wanted === folder.name) return
  await change(store, folder, { name: wanted }, () =>
    call(endpoints.folders.update, { params: { folder_id: folder.id }, body: { name: wanted } }),
  )
}

/** Expands or collapses a folder; the gateway stores the state. */
export async function setExpanded(
  store: FoldersStore,
  folder: FolderItem,
  expanded: boolean,
): Promise<void> {
  await change(store, folder, { is_expanded: expanded }, () =>
    call(endpoints.folders.expand, {
      params: { folder_id: folder.id },
      body: { is_expanded: expanded },
    }),
  )
}

/** Moves a folder into another one, or to the top level with null. */
export async function moveFolder(
  store: FoldersStore,
  folder: FolderItem,
  parentId: string | null,
): Promise<void> {
  if (folder.parent_id === parentId) return
  await change(store, folder, { parent_id: parentId }, () =>
    call(endpoints.folders.move, {
      params: { folder_id: folder.id },
      body: { parent_id: parentId },
    }),
  )
}

/** Saves name and instructions of a folder. */
export async function saveFolder(
  store: FoldersStore,
  id: string,
  form: { name: string; systemPrompt: string; files: readonly unknown[] },
): Promise<void> {
  const body = {
    name: form.name.trim(),
    data: { system_prompt: form.systemPrompt.trim() || null, files: [...form.files] },
  }
  await whileChanging(store, async () =>
    putFolder(store, await call(endpoints.folders.update, { params: { folder_id: id }, body })),
  )
}

/** Restores a deleted folder with the folders and chats deleted with it. */
export async function restoreFolder(store: FoldersStore, id: string): Promise<Folder> {
  const folder = await whileChanging(store, () =>
    call(endpoints.folders.restore, { params: { folder_id: id } }),
  )
  await loadFolders(store)
  return folder
}

/** Deletes a folder and its subfolders, with or without their chats. */
export async function deleteFolder(
  store: FoldersStore,
  folder: FolderItem,
  withChats: boolean,
): Promise<void> {
  const { folders } = store.getState()
  const gone = new Set(withDescendants(folders, folder.id))
  try {
    await whileChanging(store, () => {
      store.setState({ folders: folders.filter((each) => !gone.has(each)) })
      return call(endpoints.folders.remove, {
        params: { folder_id: folder.id },
        query: { delete_contents: withChats },
      })
    })
  } catch (thrown) {
    await loadFolders(store)
    throw thrown
  }
}
