import { MoreHorizontal, Pencil, Pin, PinOff, Trash2 } from 'lucide-react'
import { memo, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatListItem } from '#contract/chats.ts'
import { classNames } from '../../lib/class-names.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { chatPath } from '../../lib/router.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { Spinner } from '../../ui/spinner.tsx'

export interface ChatRowActions {
  readonly startRename: (chat: ChatListItem) => void
  readonly rename: (chat: ChatListItem, title: string) => void
  readonly cancelRename: () => void
  readonly togglePin: (chat: ChatListItem) => void
  readonly remove: (chat: ChatListItem) => void
}

interface ChatRowProps {
  readonly chat: ChatListItem
  readonly current: boolean
  readonly renaming: boolean
  readonly actions: ChatRowActions
}

function TitleEditor({ chat, actions }: { chat: ChatListItem; actions: ChatRowActions }) {
  const { t } = useTranslation()
  const [title, setTitle] = useState(chat.title)
  const handleKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') actions.rename(chat, title)
    if (event.key === 'Escape') actions.cancelRename()
  }
  return (
    <input
      aria-label={t('chats.newTitle')}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person just asked to type here
      autoFocus
      value={title}
      maxLength={2000}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setTitle(event.target.value)}
      onBlur={() => actions.rename(chat, title)}
      onKeyDown={handleKeyDown}
      className="h-(--row) w-full rounded-medium border border-accent bg-raised px-2.5 text-ui outline-none"
    />
  )
}

function RowMenu({ chat, actions }: { chat: ChatListItem; actions: ChatRowActions }) {
  const { t } = useTranslation()
  return (
    <Menu
      trigger={
        <IconButton
          size="small"
          label={t('chats.actionsOf', { title: chat.title })}
          icon={<MoreHorizontal />}
          tabIndex={-1}
          className="absolute end-1.5 top-1/2 -translate-y-1/2 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 data-[state=open]:opacity-100 pointer-coarse:end-0 pointer-coarse:opacity-100"
        />
      }
    >
      <MenuItem icon={<Pencil />} onSelect={() => actions.startRename(chat)}>
        {t('chats.rename')}
      </MenuItem>
      <MenuItem icon={chat.pinned ? <PinOff /> : <Pin />} onSelect={() => actions.togglePin(chat)}>
        {chat.pinned ? t('chats.unpin') : t('chats.pin')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger icon={<Trash2 />} onSelect={() => actions.remove(chat)}>
        {t('common.delete')}
      </MenuItem>
    </Menu>
  )
}

/** One chat of the list: a link, with its actions behind a button and on F2 and Delete. */
export const ChatRow = memo(function ChatRow({ chat, current, renaming, actions }: ChatRowProps) {
  const { t } = useTranslation()
  if (renaming) {
    return (
      <li>
        <TitleEditor chat={chat} actions={actions} />
      </li>
    )
  }
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'F2') actions.startRename(chat)
    else if (event.key === 'Delete') actions.remove(chat)
    else return
    event.preventDefault()
  }
  return (
    <li className="group relative">
      <a
        href={chatPath(chat.id)}
        onClick={handleLink}
        onKeyDown={handleKeyDown}
        aria-current={current ? 'page' : undefined}
        data-chat-id={chat.id}
        className={classNames(
          'flex h-(--row) items-center gap-2 rounded-medium px-2.5 no-underline transition-colors duration-(--motion-in) group-focus-within:pe-8 group-hover:pe-8 focus-visible:-outline-offset-2 pointer-coarse:h-11 pointer-coarse:pe-11',
          current ? 'bg-pressed text-ink' : 'text-ink hover:bg-hover',
        )}
      >
        {chat.active && <Spinner className="size-3 border-[1.5px] text-accent" />}
        <bdi className="min-w-0 flex-1 truncate [text-align:match-parent]">{chat.title || t('chats.untitled')}</bdi>
        {chat.active && <span className="sr-only">{t('chats.answering')}</span>}
      </a>
      <RowMenu chat={chat} actions={actions} />
    </li>
  )
})
