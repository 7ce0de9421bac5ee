import { MessagesSquare } from 'lucide-react'
import { useEffect, useMemo, useRef, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { ChatListItem } from '#contract/chats.ts'
import { useToday } from '../../lib/use-today.ts'
import { timeGroup, timeGroupKey, type TimeGroup } from '../../lib/group-by-time.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ChatRow, type ChatRowActions } from './chat-row.tsx'
import type { ChatsStore } from './chats-store.ts'
import { loadChats, loadMoreChats } from './load-chats.ts'

interface ChatListProps {
  readonly store: ChatsStore
  readonly currentId: string | null
  readonly actions: ChatRowActions
}

interface Section {
  readonly key: string
  readonly group: TimeGroup | 'pinned'
  readonly chats: ChatListItem[]
}

/** Pinned chats, then the others by the calendar. */
function toSections(chats: readonly ChatListItem[], now: number): readonly Section[] {
  const sections: Section[] = []
  const pinned = chats.filter((chat) => chat.pinned)
  if (pinned.length > 0) sections.push({ key: 'pinned', group: 'pinned', chats: pinned })
  for (const chat of chats) {
    if (chat.pinned) continue
    const group = timeGroup(chat.updated_at, now)
    const key = timeGroupKey(group)
    const last = sections.at(-1)
    if (last?.key === key) last.chats.push(chat)
    else sections.push({ key, group, chats: [chat] })
  }
  return sections
}

function useSectionTitle(): (group: Section['group']) => string {
  const { t, i18n } = useTranslation()
  return (group) => {
    if (group === 'pinned') return t('chats.pinned')
    if (group.kind !== 'named') return t(`chats.group.${group.kind}`)
    const sameYear = group.year === new Date().getFullYear()
    return new Intl.DateTimeFormat(i18n.language, { month: 'long', ...(!sameYear && { year: 'numeric' }) }).format(
      new Date(group.year, group.month),
    )
  }
}

/** Arrows, Home and End move between the links of a list. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a[data-chat-id]')]
  const index = links.indexOf(document.activeElement as HTMLElement)
  if (index === -1) return
  const target = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: links.length - 1 }[event.key]
  if (target === undefined) return
  event.preventDefault()
  links[Math.max(0, Math.min(links.length - 1, target))]?.focus()
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
    <div aria-hidden="true" className="flex flex-col gap-1 px-2.5 pt-8 opacity-70">
      {[72, 54, 84, 60, 46].map((width) => (
        <span key={width} className="flex h-(--row) items-center">
          <span className="h-2.5 rounded-full bg-pressed" style={{ width: `${width}%` }} />
        </span>
      ))}
    </div>
  )
}

/** The chats of the signed-in person, grouped by time. */
export function ChatList({ store, currentId, actions }: ChatListProps) {
  const { t } = useTranslation()
  const { chats, status, problem, hasMore, renamingId } = useStore(store)
  const sectionTitle = useSectionTitle()
  const today = useToday()
  const sections = useMemo(() => toSections(chats, today), [chats, today])
  if (status === 'loading') return <ListSkeleton />
  if (status === 'failed') {
    return (
      <EmptyState title={t('chats.loadFailed')} action={<Button onClick={() => void loadChats(store)}>{t('common.retry')}</Button>}>
        {problem}
      </EmptyState>
    )
  }
  if (chats.length === 0) {
    return (
      <EmptyState icon={<MessagesSquare />} title={t('chats.none')}>
        {t('chats.noneHint')}
      </EmptyState>
    )
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrow keys only move between links that are focusable themselves
    <div onKeyDown={moveFocus}>
      {sections.map((section) => (
        <section key={section.key} className="pb-3">
          <h3 className="sticky top-0 z-1 bg-sidebar px-2.5 py-1.5 text-small font-medium text-muted">{sectionTitle(section.group)}</h3>
          <ul className="flex flex-col gap-px">
            {section.chats.map((chat) => (
              <ChatRow key={chat.id} chat={chat} current={chat.id === currentId} renaming={chat.id === renamingId} actions={actions} />
            ))}
          </ul>
        </section>
      ))}
      {hasMore && <NextPage store={store} />}
    </div>
  )
}
