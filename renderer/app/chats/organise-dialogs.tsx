import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { ChatListItem } from '#contract/chats.ts'
import { renameChat } from '../../features/chats/change-chat.ts'
import { patchChat, selectChat } from '../../features/chats/chats-store.ts'
import { TagsDialog } from '../../features/chats/tags-dialog.tsx'
import { KnowledgePicker } from '../../features/knowledge/knowledge-picker.tsx'
import {
  DeleteFolderDialog,
  FolderDialog,
  NewFolderDialog,
} from '../../features/folders/folder-dialogs.tsx'
import { MoveDialog } from '../../features/folders/move-dialog.tsx'
import { ShareAccess } from '../../features/share/share-access.tsx'
import { ShareDialog } from '../../features/share/share-dialog.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { moveChats } from './chat-actions.ts'
import { closeDialog, dialogsStore } from './dialogs-store.ts'
import { moveFolderTo, removeFolder } from './folder-actions.ts'
import { isPermitted } from '../person/permissions.ts'
import { principals } from '../person/principals.ts'
import { chatsStore, foldersStore, sessionStore } from '../stores.ts'
import { tellFailure } from '../../ui/floating/tell-failure.ts'

/** Renames a chat when the list is not visible. */
function RenameDialog({ chat }: { chat: ChatListItem }) {
  const { t } = useTranslation()
  const [title, setTitle] = useState(chat.title)
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault()
    closeDialog()
    renameChat(chatsStore, chat, title).catch(tellFailure('chats.renameFailed'))
  }
  return (
    <FormDialog
      title={t('chats.renameTitle')}
      submission={{ handleSubmit }}
      isReady={title.trim() !== ''}
      onClose={closeDialog}
    >
      <TextField
        label={t('chats.newTitle')}
        maxLength={2000}
        autoComplete="off"
        value={title}
        onFocus={(event) => event.currentTarget.select()}
        onChange={setTitle}
      />
    </FormDialog>
  )
}

/** The dialog follows the chat in the store, whose link may be created and removed. */
function ShareOne({ chat }: { chat: ChatListItem }) {
  const known = useStore(chatsStore, selectChat(chat.id)) ?? chat
  const mayOpenToAll = useStore(sessionStore, isPermitted('sharing.public_chats'))
  return (
    <ShareDialog
      chat={known}
      onChanged={(shareId) => patchChat(chatsStore, chat.id, { share_id: shareId })}
      mayOpenToAll={mayOpenToAll}
      access={(shareId) => (
        <ShareAccess shareId={shareId} loaders={principals} mayOpenToAll={mayOpenToAll} />
      )}
      onClose={closeDialog}
    />
  )
}

function useDescription(): (chats: readonly ChatListItem[]) => string {
  const { t } = useTranslation()
  return (chats) =>
    chats.length === 1
      ? chats[0]?.title || t('chats.untitled')
      : t('chats.countOf', { count: chats.length })
}

/** Returns the folder that contains all the chats; undefined when they are in several. */
function commonFolder(chats: readonly ChatListItem[]): string | null | undefined {
  const places = new Set(chats.map((chat) => chat.folder_id))
  return places.size === 1 ? chats[0]?.folder_id : undefined
}

/** The currently open dialog about chats or folders. */
export function OrganiseDialogs() {
  const open = useStore(dialogsStore, (state) => state.open)
  const canDelete = useStore(sessionStore, isPermitted('chat.delete'))
  const describe = useDescription()
  if (!open) return null
  switch (open.kind) {
    case 'rename':
      return <RenameDialog chat={open.chat} />
    case 'share':
      return <ShareOne chat={open.chat} />
    case 'tags':
      return (
        <TagsDialog
          store={chatsStore}
          chatIds={open.chats.map((chat) => chat.id)}
          onClose={closeDialog}
        />
      )
    case 'move':
      return (
        <MoveDialog
          store={foldersStore}
          description={describe(open.chats)}
          currentId={commonFolder(open.chats)}
          onMove={(folderId) => void moveChats(open.chats, folderId)}
          onClose={closeDialog}
        />
      )
    case 'move-folder':
      return (
        <MoveDialog
          store={foldersStore}
          description={open.folder.name}
          currentId={open.folder.parent_id}
          movedFolderId={open.folder.id}
          onMove={(parentId) =>
            void moveFolderTo(open.folder, parentId).catch(tellFailure('folders.moveFailed'))
          }
          onClose={closeDialog}
        />
      )
    case 'new-folder':
      return <NewFolderDialog store={foldersStore} parentId={open.parentId} onClose={closeDialog} />
    case 'folder':
      return (
        <FolderDialog
          store={foldersStore}
          folder={open.folder}
          pickKnowledge={(value, onChange) => <KnowledgePicker value={value} onChange={onChange} />}
          onClose={closeDialog}
        />
      )
    case 'delete-folder':
      return (
        <DeleteFolderDialog
          folder={open.folder}
          canDeleteChats={canDelete}
          onConfirm={(withChats) =>
            void removeFolder(open.folder, withChats).catch(tellFailure('folders.deleteFailed'))
          }
          onClose={closeDialog}
        />
      )
  }
}
