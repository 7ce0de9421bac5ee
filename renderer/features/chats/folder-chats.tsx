import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { Button } from '../../ui/controls/button.tsx'
import { ChatRows } from './chat-rows.tsx'
import { selectFolderChats } from './chats-store.ts'
import type { ChatsView } from './chats-view.ts'
import { loadFolderChats } from './load-folder-chats.ts'

interface FolderChatsProps {
  readonly view: ChatsView
  readonly folderId: string
  readonly currentId: string | null
}

/** The chats of an opened folder, read when it is opened. */
export function FolderChats({ view, folderId, currentId }: FolderChatsProps) {
  const { t } = useTranslation()
  const { store } = view
  const chats = useStore(store, useShallow(selectFolderChats(folderId)))
  const pages = useStore(store, (state) => state.folders[folderId])
  useEffect(() => {
    if (!store.getState().folders[folderId]) void loadFolderChats(store, folderId)
  }, [store, folderId])
  return (
    <>
      <ChatRows chats={chats} view={view} currentId={currentId} />
      {pages?.status === 'failed' && (
        <li className="flex flex-wrap items-center gap-2 px-2.5 py-1 text-small text-danger">
          <span className="min-w-0 flex-1 wrap-anywhere">{pages.problem}</span>
          <Button tone="quiet" onClick={() => void loadFolderChats(store, folderId)}>
            {t('common.retry')}
          </Button>
        </li>
      )}
      {pages?.status === 'ready' && chats.length === 0 && !pages.hasMore && (
        <li className="px-2.5 py-1.5 text-small text-muted">{t('chats.folderEmpty')}</li>
      )}
      {pages?.status === 'ready' && pages.hasMore && (
        <li>
          <Button
            tone="quiet"
            className="h-(--row)! w-full justify-start! px-2.5! text-muted"
            onClick={() => void loadFolderChats(store, folderId, { more: true })}
          >
            {t('chats.folderMore')}
          </Button>
        </li>
      )}
    </>
  )
}
