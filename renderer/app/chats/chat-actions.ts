import type { ChatListItem } from '#contract/chats.ts'
import {
  archiveChat,
  cloneChat,
  deleteChat,
  markRead,
  markUnread,
  moveChat,
  renameChat,
  restoreChat,
  togglePin,
  unarchiveChat,
} from '../../features/chats/change-chat.ts'
import { isUnread } from '../../features/chats/chats-store.ts'
import type { ChatActions } from '../../features/chats/chats-view.ts'
import { setSelecting } from '../../features/chats/select-chats.ts'
import { eachLimited } from '../../lib/each-limited.ts'
import { translate } from '../../lib/i18n.ts'
import { chatPath, currentPath, currentRoute, navigate } from '../../lib/router.ts'
import { toast } from '../../ui/floating/toast.tsx'
import { openDialog } from './dialogs-store.ts'
import { chatsStore, foldersStore } from '../stores.ts'
import { tellFailure, tellFailures } from '../../ui/floating/tell-failure.ts'

type Chats = readonly ChatListItem[]

const titleOf = (chat: ChatListItem): string => chat.title || translate('chats.untitled')

const isShown = (id: string): boolean => {
  const route = currentRoute()
  return route.name === 'chat' && route.chatId === id
}

const rowOf = (id: string): HTMLElement | null =>
  document.querySelector(`[data-rows] a[data-chat-id="${CSS.escape(id)}"]`)

/** Returns the focus to the row after an edit. */
const focusRow = (id: string): void => {
  requestAnimationFrame(() => rowOf(id)?.focus())
}

/** Reports an action on one or several chats in a toast and offers to undo it. */
function tellDone(
  key: 'deleted' | 'archivedNote' | 'unarchived' | 'moved',
  chats: Chats,
  undo: () => void,
  more: object = {},
): void {
  const [first] = chats
  if (!first) return
  const title =
    chats.length === 1 ? titleOf(first) : translate('chats.countOf', { count: chats.length })
  toast({
    text: translate(`chats.${key}`, { title, ...more }),
    action: { label: translate('common.undo'), onSelect: undo },
  })
}

const without = (chats: Chats, failures: readonly { readonly item: ChatListItem }[]): Chats =>
  chats.filter((chat) => !failures.some(({ item }) => item.id === chat.id))

async function undoDelete(chats: Chats, shown: ChatListItem | undefined): Promise<void> {
  const from = currentPath()
  const failures = await eachLimited(chats, (chat) => restoreChat(chatsStore, chat.id))
  tellFailures('chats.restoreFailed', failures)
  const back = without(chats, failures)
  const [first] = back
  if (first && chats.length === 1)
    toast({ text: translate('chats.restored', { title: titleOf(first) }) })
  if (shown && back.includes(shown)) navigate(chatPath(shown.id), { from })
}

async function remove(chats: Chats): Promise<void> {
  setSelecting(chatsStore, false)
  const shown = chats.find((chat) => isShown(chat.id))
  const deleted = eachLimited(chats, (chat) => deleteChat(chatsStore, chat))
  if (shown) navigate(chatPath(null))
  const failures = await deleted
  tellFailures('chats.deleteFailed', failures)
  const gone = without(chats, failures)
  tellDone('deleted', gone, () => void undoDelete(gone, shown))
}

async function archive(chats: Chats): Promise<void> {
  setSelecting(chatsStore, false)
  const failures = await eachLimited(chats, (chat) => archiveChat(chatsStore, chat))
  tellFailures('chats.archiveFailed', failures)
  const gone = without(chats, failures)
  const undo = async (): Promise<void> =>
    tellFailures(
      'chats.archiveFailed',
      await eachLimited(gone, (chat) => unarchiveChat(chatsStore, chat, chat.folder_id)),
    )
  tellDone('archivedNote', gone, () => void undo())
}

async function unarchive(chats: Chats): Promise<void> {
  const failures = await eachLimited(chats, (chat) => unarchiveChat(chatsStore, chat))
  tellFailures('chats.archiveFailed', failures)
  const back = without(chats, failures)
  tellDone('unarchived', back, () => void archive(back))
}

/** Moves chats to a folder, or out of any folder with null, and offers to undo it. */
export async function moveChats(chats: Chats, folderId: string | null): Promise<void> {
  setSelecting(chatsStore, false)
  const moving = chats.filter((chat) => chat.folder_id !== folderId)
  const failures = await eachLimited(moving, (chat) => moveChat(chatsStore, chat, folderId))
  tellFailures('chats.moveFailed', failures)
  const moved = without(moving, failures)
  const undo = async (): Promise<void> =>
    tellFailures(
      'chats.moveFailed',
      await eachLimited(moved, (chat) =>
        moveChat(chatsStore, { ...chat, folder_id: folderId }, chat.folder_id),
      ),
    )
  const folder = foldersStore.getState().folders.find((each) => each.id === folderId)
  tellDone('moved', moved, () => void undo(), { folder: folder?.name ?? translate('folders.none') })
}

async function clone(chat: ChatListItem): Promise<void> {
  const from = currentPath()
  const copy = await cloneChat(
    chatsStore,
    chat,
    translate('chats.cloneTitle', { title: titleOf(chat) }),
  )
  navigate(chatPath(copy.id), { from })
}

const loadExport = () => import('../../features/export/export-chats.tsx')

/** Actions on chats; each failure is shown in a toast. */
export const chatActions: ChatActions = Object.freeze({
  startRename: (chat: ChatListItem) => {
    // Without a visible row the title cannot be edited in place.
    if (rowOf(chat.id)) chatsStore.setState({ renamingId: chat.id })
    else openDialog({ kind: 'rename', chat })
  },
  cancelRename: () => {
    const id = chatsStore.getState().renamingId
    chatsStore.setState({ renamingId: null })
    if (id) focusRow(id)
  },
  rename: (chat: ChatListItem, title: string) => {
    if (chatsStore.getState().renamingId !== chat.id) return
    renameChat(chatsStore, chat, title).catch(tellFailure('chats.renameFailed'))
    focusRow(chat.id)
  },
  togglePin: (chat: ChatListItem) => {
    togglePin(chatsStore, chat).catch(tellFailure('chats.pinFailed'))
  },
  toggleRead: (chat: ChatListItem) => {
    const changed = isUnread(chat) ? markRead(chatsStore, chat.id) : markUnread(chatsStore, chat)
    changed.catch(tellFailure('chats.readFailed'))
  },
  clone: (chat: ChatListItem) => {
    clone(chat).catch(tellFailure('chats.cloneFailed'))
  },
  share: (chat: ChatListItem) => openDialog({ kind: 'share', chat }),
  print: (chat: ChatListItem) => {
    loadExport()
      .then(({ printChat }) => printChat(chat.id))
      .catch(tellFailure('chats.exportFailed'))
  },
  move: (chats: Chats) => openDialog({ kind: 'move', chats }),
  editTags: (chats: Chats) => openDialog({ kind: 'tags', chats }),
  archive: (chats: Chats) => void archive(chats),
  unarchive: (chats: Chats) => void unarchive(chats),
  remove: (chats: Chats) => void remove(chats),
  exportAs: (chats: Chats, format) => {
    loadExport()
      .then(({ exportChats }) => exportChats(chats, format))
      .catch(tellFailure('chats.exportFailed'))
  },
} satisfies ChatActions)
