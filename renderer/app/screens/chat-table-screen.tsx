import '../../lib/strings/share.ts'
import { ArchiveRestore, Link2Off, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { ChatListItem } from '#contract/chats.ts'
import { call, endpoints } from '../../api/client.ts'
import {
  archiveChat,
  deleteChat,
  restoreChat,
  unarchiveChat,
} from '../../features/chats/change-chat.ts'
import { ChatTable, type TableAction } from '../../features/chats/chat-table.tsx'
import { patchChat } from '../../features/chats/chats-store.ts'
import type { TableKind } from '../../features/chats/use-chat-pages.ts'
import { toPath } from '../../lib/router.ts'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { PageHead } from '../../ui/lists/page-head.tsx'
import { PageLink } from '../../ui/settings/page-link.tsx'
import { usePageTitle } from '../../ui/layout/use-page-title.ts'
import { SidePageHeader } from '../shell/side-page-header.tsx'
import { isPermitted, offersPage } from '../person/permissions.ts'
import { chatsStore, sessionStore } from '../stores.ts'
import { TrashTable } from './trash-table.tsx'
import { useDoing } from './use-doing.ts'

function useArchiveActions(onUndone: () => void): readonly TableAction[] {
  const { t } = useTranslation()
  const canDelete = useStore(sessionStore, isPermitted('chat.delete'))
  const doing = useDoing(onUndone)
  const restore: TableAction = {
    label: t('chats.unarchive'),
    icon: <ArchiveRestore className="size-4" />,
    act: doing({
      failure: 'chats.archiveFailed',
      act: (chat) => unarchiveChat(chatsStore, chat),
      undo: (chat) => archiveChat(chatsStore, chat),
      toText: (title) => t('chats.unarchived', { title }),
    }),
  }
  const remove: TableAction = {
    label: t('common.delete'),
    icon: <Trash2 className="size-4" />,
    danger: true,
    act: doing({
      failure: 'chats.deleteFailed',
      act: (chat) => deleteChat(chatsStore, chat),
      undo: (chat) => restoreChat(chatsStore, chat.id),
      toText: (title) => t('chats.deleted', { title }),
    }),
  }
  return canDelete ? [restore, remove] : [restore]
}

function useShareActions(): readonly TableAction[] {
  const { t } = useTranslation()
  const doing = useDoing(() => undefined)
  const unshare = async (chat: ChatListItem): Promise<void> => {
    await call(endpoints.chats.unshare, { params: { chat_id: chat.id } })
    patchChat(chatsStore, chat.id, { share_id: null })
  }
  return [
    {
      label: t('share.stop'),
      icon: <Link2Off className="size-4" />,
      act: doing({
        failure: 'share.stopFailed',
        act: unshare,
        toText: (title) => t('share.stoppedFor', { title }),
      }),
    },
  ]
}

function ArchiveTable() {
  // A new number reloads the table with the restored entries.
  const [turn, setTurn] = useState(0)
  const actions = useArchiveActions(() => setTurn((count) => count + 1))
  return <ChatTable key={turn} kind="archived" actions={actions} />
}

function ShareTable() {
  const { t } = useTranslation()
  const actions = useShareActions()
  const drawLink = ({ share_id: shareId }: ChatListItem) =>
    shareId !== null && (
      <CopyButton
        text={location.origin + toPath({ name: 'share', shareId })}
        label={t('share.copy')}
      />
    )
  return <ChatTable kind="shared" actions={actions} drawExtra={drawLink} />
}

const TABLES = { archived: ArchiveTable, shared: ShareTable, trash: TrashTable } as const

/** Table of archived, shared or deleted chats. */
export function ChatTableScreen({ kind }: { kind: TableKind }) {
  const { t } = useTranslation()
  const offered = offersPage(useStore(sessionStore))
  const Table = TABLES[kind]
  const title = t(`chats.${kind}Title`)
  usePageTitle(title)
  return (
    <div id="messages" tabIndex={-1} className="h-full overflow-y-auto outline-none">
      <SidePageHeader />
      <div className="mx-auto w-full max-w-3xl px-4 pt-4 pb-16 sm:px-8 md:pt-8">
        <PageHead title={title}>
          <p className="mb-5 text-pretty text-muted md:-mt-2">
            {t(`chats.${kind}Text`)}
            {kind === 'trash' && offered('time-machine') && (
              <>
                {' '}
                {t('chats.trashGone')} <PageLink page="time-machine" />
              </>
            )}
          </p>
          <Table />
        </PageHead>
      </div>
    </div>
  )
}
