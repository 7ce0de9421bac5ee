import { Archive, ChevronDown, Folder, SquarePen } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { chatViewStore } from '../../features/chat/chat-view-store.ts'
import { useOpenTitle } from '../../features/chat/use-open-title.ts'
import { ChatMenuItems } from '../../features/chats/chat-menu.tsx'
import { selectChat } from '../../features/chats/chats-store.ts'
import { TagChips } from '../../features/chats/tag-chips.tsx'
import { classNames } from '../../lib/class-names.ts'
import { runCommand } from '../../lib/commands.ts'
import { Button } from '../../ui/controls/button.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { Menu } from '../../ui/floating/menu.tsx'
import { chatActions } from './chat-actions.ts'
import { useChatsView } from './chats-view.ts'
import { ConnectionState } from '../shell/connection-state.tsx'
import { SealedMark } from '../shell/sealed-mark.tsx'
import { OpenSidebar } from '../shell/open-sidebar.tsx'
import { useMarkRead } from './mark-read.ts'
import { chatsStore, foldersStore, layoutStore } from '../stores.ts'

/** Title of a chat that is not in the list: the list is being loaded, or the chat is new or old. */
function UnlistedTitle({ chatId }: { chatId: string }) {
  const { t } = useTranslation()
  const title = useOpenTitle(chatId)
  if (title === null)
    return (
      <span className="flex h-control items-center px-2">
        <span className="sr-only">{t('common.loading')}</span>
        <span aria-hidden="true" className="h-3.5 w-40 animate-late rounded-small bg-hover" />
      </span>
    )
  return (
    <bdi className="flex h-control min-w-0 items-center px-2 text-ui font-medium">
      <span className="truncate">{title || t('chats.untitled')}</span>
    </bdi>
  )
}

function ChatTitle({ chatId }: { chatId: string }) {
  const { t } = useTranslation()
  const chat = useStore(chatsStore, selectChat(chatId))
  const view = useChatsView()
  useMarkRead(chatId)
  if (!chat) return <UnlistedTitle chatId={chatId} />
  const title = chat.title || t('chats.untitled')
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label={t('chats.actionsOf', { title })}
          className="flex h-control min-w-0 items-center gap-1.5 rounded-medium px-2 text-ui hover:bg-hover data-[state=open]:bg-pressed pointer-coarse:min-h-11"
        >
          <bdi className="truncate font-medium">{title}</bdi>
          <ChevronDown className="size-3.5 shrink-0 text-muted" />
        </button>
      }
    >
      <ChatMenuItems chat={chat} view={view} />
    </Menu>
  )
}

/** The tags of the chat; a click opens the sheet that changes them. */
function ChatTags({ chatId }: { chatId: string }) {
  const { t } = useTranslation()
  const tags = useStore(chatsStore, (state) => selectChat(chatId)(state)?.tags.join('\n') ?? '')
  if (tags === '') return null
  return (
    <button
      type="button"
      aria-label={t('chats.tagsOf', { tags: tags.replaceAll('\n', ', ') })}
      className="flex h-control min-w-0 shrink items-center gap-1 overflow-hidden rounded-medium px-1 hover:bg-hover max-md:hidden"
      onClick={() => runCommand('chat.tags')}
    >
      <TagChips tags={tags.split('\n').slice(0, 4)} />
    </button>
  )
}

/** Shows that the chat is archived and offers to unarchive it. */
function ArchivedNote({ chatId }: { chatId: string }) {
  const { t } = useTranslation()
  const chat = useStore(chatsStore, selectChat(chatId))
  if (chat?.archived !== true) return null
  return (
    <div
      role="note"
      className="mx-3 mb-1 flex max-w-column flex-wrap items-center gap-x-3 gap-y-1 rounded-medium border border-dashed border-edge px-3 py-1.5 text-small text-muted sm:mx-6 lg:mx-auto lg:w-full"
    >
      <Archive className="size-4 shrink-0" />
      <p className="min-w-0 flex-1">{t('chats.archivedOpen')}</p>
      <Button onClick={() => chatActions.unarchive([chat])}>{t('chats.unarchive')}</Button>
    </div>
  )
}

/** Folder in which the next message will create the chat. */
function FolderNote() {
  const { t } = useTranslation()
  const folderId = useStore(chatViewStore, (state) => state.folderId)
  const name = useStore(
    foldersStore,
    ({ folders }) => folders.find(({ id }) => id === folderId)?.name,
  )
  if (name === undefined) return null
  return (
    <output className="flex min-w-0 items-center gap-1.5 px-2 text-ui text-muted">
      <Folder className="size-4 shrink-0" />
      <bdi className="truncate">{t('folders.beginsIn', { name })}</bdi>
    </output>
  )
}

/** Bar above the chat: sidebar button, title with its actions, connection state. */
export function ChatHeader({ chatId, tools }: { chatId: string | null; tools?: ReactNode }) {
  const { t } = useTranslation()
  const sidebarOpen = useStore(layoutStore, (state) => state.sidebarOpen)
  const header = (
    <header className="flex h-header shrink-0 items-center gap-1 px-2 pointer-coarse:h-13">
      <span className={classNames('flex items-center gap-1', sidebarOpen && 'md:hidden')}>
        <OpenSidebar />
        <IconButton
          label={t('chats.newChat')}
          accelerator="CmdOrCtrl+N"
          icon={<SquarePen />}
          onClick={() => runCommand('chat.new')}
        />
      </span>
      <div className="flex min-w-0 flex-1">
        {chatId === null && <FolderNote />}
        {chatId !== null && (
          <>
            <h1 className="flex min-w-0">
              <ChatTitle chatId={chatId} />
            </h1>
            <ChatTags chatId={chatId} />
          </>
        )}
      </div>
      <SealedMark />
      <ConnectionState />
      {tools}
    </header>
  )
  return (
    <>
      {header}
      {chatId !== null && <ArchivedNote chatId={chatId} />}
    </>
  )
}
