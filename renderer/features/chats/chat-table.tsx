import { Archive, Link2, Search, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatListItem } from '#contract/chats.ts'
import { formatDay } from '../../lib/format-time.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { chatPath } from '../../lib/router.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { EmptyList } from '../../ui/lists/empty-list.tsx'
import { LoadingRows } from '../../ui/lists/loading-rows.tsx'
import { KeptUntil } from '../../ui/marks/kept-until.tsx'
import { Spinner } from '../../ui/marks/spinner.tsx'
import { TagChips } from './tag-chips.tsx'
import { type TableChat, useChatPages, type TableKind } from './use-chat-pages.ts'

export interface TableAction {
  readonly label: string
  readonly icon: ReactNode
  readonly danger?: boolean
  /** Performs the action and resolves with the chats that are no longer in this table. */
  readonly act: (chats: readonly ChatListItem[]) => Promise<readonly ChatListItem[]>
}

interface ChatTableProps {
  readonly kind: TableKind
  readonly actions: readonly TableAction[]
  /** Renders additional content at the end of a row. */
  readonly drawExtra?: (chat: ChatListItem) => ReactNode
  /** Controls for the whole table, shown unless it is empty. */
  readonly tools?: ReactNode
  /** Text of an empty table, instead of the default. */
  readonly noneText?: string
}

const ICONS = { archived: <Archive />, shared: <Link2 />, trash: <Trash2 /> } as const

interface RowProps {
  readonly chat: TableChat
  readonly selected: boolean
  readonly onSelect: (selected: boolean) => void
  readonly children: ReactNode
}

function TableRow({ chat, selected, onSelect, children }: RowProps) {
  const { t } = useTranslation()
  const title = chat.title || t('chats.untitled')
  return (
    <li className="flex flex-wrap items-center gap-x-2 px-3 py-1.5 pointer-coarse:ps-1">
      <Checkbox label={t('chats.selectNamed', { title })} checked={selected} onChange={onSelect} />
      <span className="min-w-0 flex-1 basis-28">
        {chat.deleted_at === undefined ? (
          <a
            href={chatPath(chat.id)}
            onClick={handleLink}
            className="block truncate rounded-small font-medium no-underline hover:underline pointer-coarse:py-2.5"
          >
            <bdi>{title}</bdi>
          </a>
        ) : (
          <bdi className="line-clamp-2 font-medium wrap-anywhere">{title}</bdi>
        )}
        <TagChips tags={chat.tags} />
        <span className="block text-small text-muted">
          {chat.deleted_at === undefined ? (
            t('chats.lastChange', { day: formatDay(chat.updated_at) })
          ) : (
            <KeptUntil deletedAt={chat.deleted_at} />
          )}
        </span>
      </span>
      <span className="ms-auto flex shrink-0 items-center gap-1">{children}</span>
    </li>
  )
}

interface RowActionProps {
  readonly action: TableAction
  readonly title: string
  /** True if the button says in words what it does, unless it removes. */
  readonly hasWords: boolean
  readonly busy: boolean
  readonly onAct: () => void
}

/**
 * Action on one chat: a button that is easy to find, on phones without its word, or a quiet icon for
 * one that removes.
 */
function RowAction({ action, title, hasWords, busy, onAct }: RowActionProps) {
  const { t } = useTranslation()
  const label = t('chats.actOn', { action: action.label, title })
  if (hasWords && !action.danger)
    return (
      <Button
        icon={action.icon}
        aria-label={label}
        busy={busy}
        onClick={onAct}
        className="max-sm:w-11 max-sm:px-0"
      >
        <span className="max-sm:hidden">{action.label}</span>
      </Button>
    )
  return (
    <IconButton
      label={label}
      hint={action.label}
      icon={busy ? <Spinner /> : action.icon}
      disabled={busy}
      onClick={onAct}
      className={action.danger ? 'hover:text-danger' : undefined}
    />
  )
}

/** Table of chats that are not in the sidebar: search, open, and actions on one or many. */
export function ChatTable({ kind, actions, drawExtra, tools, noneText }: ChatTableProps) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const { chats, status, problem, hasMore, reload, readMore, forget } = useChatPages(kind, query)
  const chosen = chats.filter((chat) => selection.has(chat.id))
  const [underWay, setUnderWay] = useState<ReadonlySet<string>>(new Set())
  const run = async (action: TableAction, wanted: readonly ChatListItem[]): Promise<void> => {
    const ids = new Set(wanted.map((chat) => chat.id))
    setUnderWay((before) => before.union(ids))
    const gone = new Set((await action.act(wanted)).map((chat) => chat.id))
    setUnderWay((before) => before.difference(ids))
    forget(gone)
    // Chats selected meanwhile stay selected.
    setSelection((before) => before.difference(ids))
  }
  const select = (id: string, selected: boolean): void => {
    const ids = new Set(selection)
    if (selected) ids.add(id)
    else ids.delete(id)
    setSelection(ids)
  }
  const isEmpty = status === 'ready' && chats.length === 0
  const all = chats.length > 0 && chosen.length === chats.length
  return (
    <div className="flex flex-col gap-3">
      {(!isEmpty || query !== '') && (
        <search className="relative block">
          <Search className="pointer-events-none absolute start-3 top-1/2 size-4 -translate-y-1/2 text-muted" />
          <input
            type="search"
            aria-label={t('chats.searchTitles')}
            placeholder={t('chats.searchTitles')}
            value={query}
            maxLength={500}
            onChange={(event) => setQuery(event.target.value)}
            className="h-primary w-full rounded-medium border border-edge bg-raised ps-9 pe-3 text-ui pointer-coarse:min-h-11"
          />
        </search>
      )}
      {status === 'failed' && (
        <EmptyState
          title={t('chats.loadFailed')}
          action={<Button onClick={reload}>{t('common.retry')}</Button>}
        >
          {problem}
        </EmptyState>
      )}
      {status === 'loading' && (
        <output>
          <LoadingRows kind={kind === 'trash' ? 'trash' : 'chats'} />
        </output>
      )}
      {isEmpty && noneText && query.trim() === '' && <p className="text-muted">{noneText}</p>}
      {isEmpty && query.trim() !== '' && (
        <EmptyState icon={ICONS[kind]} title={t('chats.nothingFound', { text: query.trim() })} />
      )}
      {isEmpty && query.trim() === '' && !noneText && (
        <EmptyList icon={ICONS[kind]} title={t(`chats.${kind}None`)}>
          {t(`chats.${kind}NoneHint`)}
        </EmptyList>
      )}
      {chats.length > 0 && (
        <div className="rounded-large border border-line bg-raised">
          <div className="flex min-h-12 flex-wrap items-center gap-2 border-b border-line px-3 py-1.5 pointer-coarse:ps-1">
            <Checkbox
              label={t('chats.selectAll')}
              checked={all}
              mixed={chosen.length > 0}
              onChange={(checked) =>
                setSelection(new Set(checked ? chats.map((chat) => chat.id) : []))
              }
            />
            {chosen.length > 0 ? (
              <span className="min-w-32 flex-1 text-small text-muted">
                {t('chats.selected', { count: chosen.length })}
              </span>
            ) : (
              <span aria-hidden="true" className="min-w-20 flex-1 text-small text-muted">
                {t('chats.selectAll')}
              </span>
            )}
            {chosen.length === 0 && tools}
            {chosen.length > 0 && (
              <span className="ms-auto flex flex-wrap gap-2">
                {actions.map((action) => (
                  <Button
                    key={action.label}
                    tone={action.danger ? 'danger' : 'secondary'}
                    icon={action.icon}
                    busy={chosen.some((chat) => underWay.has(chat.id))}
                    onClick={() => void run(action, chosen)}
                  >
                    {action.label}
                  </Button>
                ))}
              </span>
            )}
          </div>
          <ul className="divide-y divide-line">
            {chats.map((chat) => (
              <TableRow
                key={chat.id}
                chat={chat}
                selected={selection.has(chat.id)}
                onSelect={(selected) => select(chat.id, selected)}
              >
                {actions.map((action) => (
                  <RowAction
                    key={action.label}
                    action={action}
                    title={chat.title || t('chats.untitled')}
                    hasWords={kind !== 'shared'}
                    busy={underWay.has(chat.id)}
                    onAct={() => void run(action, [chat])}
                  />
                ))}
                {drawExtra?.(chat)}
              </TableRow>
            ))}
          </ul>
        </div>
      )}
      {hasMore && (
        <Button tone="quiet" className="self-center" onClick={readMore}>
          {t('chats.folderMore')}
        </Button>
      )}
    </div>
  )
}
