import { MessagesSquare } from 'lucide-react'
import { useEffect, useMemo, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import type { ChatListItem } from '#contract/chats.ts'
import { useToday } from '../../lib/use-today.ts'
import { timeGroup, timeGroupKey, type TimeGroup } from '../../lib/group-by-time.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { ChatRows } from './chat-rows.tsx'
import { type ChatsState, placeOf, type ChatsStore } from './chats-store.ts'
import type { ChatsView } from './chats-view.ts'
import { loadChats, loadMoreChats } from './load-chats.ts'
import { drawnIds, moveFocus } from './move-focus.ts'
import { selectAll, selectRange, setSelecting, toggleSelected } from './select-chats.ts'
import { formatLocale } from '../../lib/i18n.ts'

interface ChatListProps {
  readonly view: ChatsView
  readonly currentId: string | null
  /** Folders, rendered between pinned and other chats; null if there are none. */
  readonly folders?: ReactNode
}

interface Section {
  readonly key: string
  readonly group: TimeGroup | 'pinned'
  readonly chats: ChatListItem[]
}

/** Groups the chats outside folders by date. */
function toTimeSections(chats: readonly ChatListItem[], now: number): readonly Section[] {
  const sections: Section[] = []
  for (const chat of chats) {
    const group = timeGroup(chat.updated_at, now)
    const key = timeGroupKey(group)
    const last = sections.at(-1)
    if (last?.key === key) last.chats.push(chat)
    else sections.push({ key, group, chats: [chat] })
  }
  return sections
}

function toSections(
  state: Pick<ChatsState, 'chats' | 'hasFolders'>,
  now: number,
): { pinned: readonly Section[]; loose: readonly Section[] } {
  const at = (place: string): ChatListItem[] =>
    state.chats.filter((chat) => placeOf(state, chat) === place)
  const pinned = at('pinned')
  return {
    pinned: pinned.length > 0 ? [{ key: 'pinned', group: 'pinned', chats: pinned }] : [],
    loose: toTimeSections(at('loose'), now),
  }
}

function useSectionTitle(): (group: Section['group']) => string {
  const { t } = useTranslation()
  return (group) => {
    if (group === 'pinned') return t('chats.pinned')
    if (group.kind !== 'named') return t(`chats.group.${group.kind}`)
    const sameYear = group.year === new Date().getFullYear()
    return new Intl.DateTimeFormat(formatLocale(), {
      month: 'long',
      ...(!sameYear && { year: 'numeric' }),
    }).format(new Date(group.year, group.month))
  }
}

/** Shift+arrow extends the selection, Ctrl+A selects all, Escape ends the selection. */
function handleListKey(event: KeyboardEvent<HTMLElement>, store: ChatsStore): void {
  const main = event.ctrlKey || event.metaKey
  if (event.target instanceof HTMLInputElement && event.target.type !== 'checkbox') return
  if (event.key === 'Escape' && store.getState().selection) {
    setSelecting(store, false)
    event.preventDefault()
  } else if (main && event.key.toLowerCase() === 'a') {
    selectAll(store, drawnIds(event.currentTarget))
    event.preventDefault()
  } else if (!main && !event.altKey) {
    const from = (event.target as HTMLElement).dataset.chatId
    const id = moveFocus(event)?.dataset.chatId
    if (!event.shiftKey || !id || !from) return
    if (!store.getState().selection) toggleSelected(store, from)
    selectRange(store, drawnIds(event.currentTarget), id)
  }
}

function NextPage({ store }: { store: ChatsStore }) {
  const { t } = useTranslation()
  const ref = useRef<HTMLDivElement>(null)
  const pagesLoaded = useStore(store, (state) => state.pagesLoaded)
  useEffect(() => {
    const place = ref.current
    if (!place) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void loadMoreChats(store)
      },
      { rootMargin: '600px' },
    )
    observer.observe(place)
    return () => observer.disconnect()
  }, [store, pagesLoaded])
  return (
    <div ref={ref} className="px-2.5 py-3 text-small text-muted">
      {t('chats.loadingMore')}
    </div>
  )
}

function ListSkeleton() {
  return (
    <div aria-hidden="true" className="flex flex-col gap-px px-2.5 opacity-70">
      <span className="flex h-8 items-center">
        <span className="h-2 w-12 rounded-full bg-pressed" />
      </span>
      {[72, 54, 84, 60, 46].map((width) => (
        <span key={width} className="flex h-(--row) items-center">
          <span className="h-2.5 rounded-full bg-pressed" style={{ width: `${width}%` }} />
        </span>
      ))}
    </div>
  )
}

function SectionView({
  section,
  view,
  currentId,
}: {
  section: Section
  view: ChatsView
  currentId: string | null
}) {
  const sectionTitle = useSectionTitle()
  return (
    <section className="pb-3">
      <h3 className="sticky top-0 z-1 bg-sidebar px-2.5 py-1.5 text-small font-medium text-muted">
        {sectionTitle(section.group)}
      </h3>
      <ul className="flex flex-col gap-px">
        <ChatRows chats={section.chats} view={view} currentId={currentId} />
      </ul>
    </section>
  )
}

/** The chats of the signed-in user: pinned ones, folders, the others by date. */
export function ChatList({ view, currentId, folders = null }: ChatListProps) {
  const { t } = useTranslation()
  const { store } = view
  const { chats, hasFolders, status, problem, hasMore } = useStore(
    store,
    useShallow((state) => ({
      chats: state.chats,
      hasFolders: state.hasFolders,
      status: state.status,
      problem: state.problem,
      hasMore: state.hasMore,
    })),
  )
  const today = useToday()
  const sections = useMemo(
    () => toSections({ chats, hasFolders }, today),
    [chats, hasFolders, today],
  )
  if (status === 'loading') return <ListSkeleton />
  if (status === 'failed') {
    return (
      <EmptyState
        title={t('chats.loadFailed')}
        action={<Button onClick={() => void loadChats(store)}>{t('common.retry')}</Button>}
      >
        {problem}
      </EmptyState>
    )
  }
  if (chats.length === 0 && folders === null) {
    return (
      <EmptyState icon={<MessagesSquare />} title={t('chats.none')}>
        {t('chats.noneHint')}
      </EmptyState>
    )
  }
  const draw = (section: Section): ReactNode => (
    <SectionView key={section.key} section={section} view={view} currentId={currentId} />
  )
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys only move between rows that are focusable themselves
    <div data-rows="" onKeyDown={(event) => handleListKey(event, store)} className="min-h-full">
      {sections.pinned.map(draw)}
      {folders}
      {sections.loose.map(draw)}
      {hasMore && <NextPage store={store} />}
    </div>
  )
}
