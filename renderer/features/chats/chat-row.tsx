import { MoreHorizontal } from 'lucide-react'
import { memo, type DragEvent, type KeyboardEvent, type MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatListItem } from '#contract/chats.ts'
import { classNames } from '../../lib/class-names.ts'
import { startDrag } from '../../lib/drag-rows.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { chatPath } from '../../lib/router.ts'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { InlineEditor } from '../../ui/fields/inline-editor.tsx'
import { Menu } from '../../ui/floating/menu.tsx'
import { Spinner } from '../../ui/marks/spinner.tsx'
import { ChatMenuItems } from './chat-menu.tsx'
import { isUnread } from './chats-store.ts'
import type { ChatActions, ChatRights, ChatsView } from './chats-view.ts'
import { drawnIds } from './move-focus.ts'
import { selectedChats, selectRange, toggleSelected } from './select-chats.ts'
import { ArchivedMark } from './archived-mark.tsx'
import { TagChips } from './tag-chips.tsx'

interface ChatRowProps {
  readonly chat: ChatListItem
  readonly view: ChatsView
  readonly current: boolean
  readonly renaming: boolean
  /** True if selected; null outside selection mode. */
  readonly selected: boolean | null
  readonly showsTags: boolean
}

function RowMenu({ chat, view }: { chat: ChatListItem; view: ChatsView }) {
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
      <ChatMenuItems chat={chat} view={view} onSelect={() => toggleSelected(view.store, chat.id)} />
    </Menu>
  )
}

/** Handles the single-key shortcuts of the focused chat. */
function actByKey(
  key: string,
  chat: ChatListItem,
  actions: ChatActions,
  rights: ChatRights,
): boolean {
  const handlers: Record<string, (() => void) | false> = {
    F2: () => actions.startRename(chat),
    Delete: rights.canDelete && (() => actions.remove([chat])),
    p: () => actions.togglePin(chat),
    m: rights.hasFolders && (() => actions.move([chat])),
    t: () => actions.editTags([chat]),
    u: () => actions.toggleRead(chat),
    s: rights.canShare && (() => actions.share(chat)),
    e: () => actions.archive([chat]),
  }
  const handler = handlers[key]
  if (handler) handler()
  return Boolean(handler)
}

/**
 * In selection mode, and with Ctrl, Command or Shift at any time, clicks select; otherwise they
 * open the chat.
 */
function handleClick(
  event: MouseEvent<HTMLAnchorElement>,
  chat: ChatListItem,
  { store }: ChatsView,
): void {
  if (event.shiftKey) selectRange(store, drawnIds(event.currentTarget), chat.id)
  else if (event.ctrlKey || event.metaKey || store.getState().selection)
    toggleSelected(store, chat.id)
  else return handleLink(event)
  event.preventDefault()
}

function handleDragStart(event: DragEvent, chat: ChatListItem, { store }: ChatsView): void {
  const chosen = selectedChats(store)
  const dragged = chosen.some((each) => each.id === chat.id) ? chosen : [chat]
  startDrag(
    event,
    { chats: dragged.map((each) => each.id) },
    dragged.map((each) => each.title).join('\n'),
  )
}

/** Badges for an answer in progress or an unread one. */
function Marks({ chat }: { chat: ChatListItem }) {
  const { t } = useTranslation()
  if (chat.active) {
    return (
      <>
        <Spinner className="size-3 border-[1.5px] text-accent" />
        <span className="sr-only">{t('chats.answering')}</span>
      </>
    )
  }
  if (!isUnread(chat)) return null
  return (
    <>
      <span
        aria-hidden="true"
        className="size-2 shrink-0 rounded-full bg-accent forced-colors:bg-[Highlight]"
      />
      <span className="sr-only">{t('chats.unread')}</span>
    </>
  )
}

/** One chat of the list: a link, with its actions in a menu and on single keys. */
export const ChatRow = memo(function ChatRow({
  chat,
  view,
  current,
  renaming,
  selected,
  showsTags,
}: ChatRowProps) {
  const { t } = useTranslation()
  if (renaming) {
    return (
      <li>
        <InlineEditor
          label={t('chats.newTitle')}
          value={chat.title}
          maxLength={2000}
          onSave={(title) => view.actions.rename(chat, title)}
          onCancel={view.actions.cancelRename}
        />
      </li>
    )
  }
  const title = chat.title || t('chats.untitled')
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (event.key === ' ') toggleSelected(view.store, chat.id)
    else if (selected !== null || !actByKey(event.key, chat, view.actions, view.rights)) return
    event.preventDefault()
  }
  return (
    <li className="group relative flex items-center">
      {selected !== null && (
        <Checkbox
          label={t('chats.selectNamed', { title })}
          checked={selected}
          onChange={() => toggleSelected(view.store, chat.id)}
          className="ms-1"
        />
      )}
      <a
        href={chatPath(chat.id)}
        onClick={(event) => handleClick(event, chat, view)}
        onKeyDown={handleKeyDown}
        onDragStart={(event) => handleDragStart(event, chat, view)}
        aria-current={current ? 'page' : undefined}
        data-row=""
        data-chat-id={chat.id}
        className={classNames(
          'flex min-h-(--row) min-w-0 flex-1 items-center gap-2 rounded-medium px-2.5 no-underline transition-colors duration-(--motion-in) focus-visible:-outline-offset-2 pointer-coarse:min-h-11',
          showsTags && chat.tags.length > 0 && 'py-1.5',
          selected === null && 'group-focus-within:pe-8 group-hover:pe-8 pointer-coarse:pe-11',
          selected
            ? 'bg-accent-soft text-ink'
            : current
              ? 'bg-pressed text-ink'
              : 'text-ink hover:bg-hover',
        )}
      >
        <span className="flex min-w-0 flex-1 flex-col">
          <bdi
            className={classNames(
              'min-w-0 truncate',
              isUnread(chat) && 'font-medium',
              chat.archived && 'text-muted',
            )}
          >
            {title}
          </bdi>
          {showsTags && <TagChips tags={chat.tags} />}
        </span>
        {chat.archived && <ArchivedMark />}
        <Marks chat={chat} />
      </a>
      {selected === null && <RowMenu chat={chat} view={view} />}
    </li>
  )
})
