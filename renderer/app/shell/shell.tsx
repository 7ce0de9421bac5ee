import { Dialog as Radix } from 'radix-ui'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { WaitingApprovals } from '../../features/dialogs/approval-card.tsx'
import { QuestionDialog } from '../../features/dialogs/question-dialog.tsx'
import { selectChat } from '../../features/chats/chats-store.ts'
import { followSwipe } from '../../lib/follow-swipe.ts'
import { chatPath, navigate, useRoute } from '../../lib/router.ts'
import { useMedia } from '../../lib/use-media.ts'
import { NARROW } from './layout-store.ts'
import { chatsStore, dialogs, layoutStore } from '../stores.ts'
import { useReturnFocus } from '../../ui/dialogs/return-focus.ts'
import { Sidebar } from './sidebar.tsx'

const SKIP =
  'sr-only focus:not-sr-only focus:fixed focus:start-3 focus:top-3 focus:z-60 focus:rounded-medium focus:bg-raised focus:px-3 focus:py-2 focus:shadow-high'

function SkipLinks() {
  const { t } = useTranslation()
  const rows = [
    ['messages', t('common.skipToMessages')],
    ['composer', t('common.skipToComposer')],
    ['chat-list', t('common.skipToList')],
  ] as const
  return (
    <nav aria-label={t('common.skipLinks')}>
      {rows.map(([id, label]) => (
        <button
          key={id}
          type="button"
          className={SKIP}
          onClick={() => document.getElementById(id)?.focus()}
        >
          {label}
        </button>
      ))}
    </nav>
  )
}

/** Focuses the sheet, not the first button, whose tooltip would cover the list. */
function focusSheet(event: Event): void {
  event.preventDefault()
  ;(event.currentTarget as HTMLElement).focus()
}

const swipeToClose = (sheet: HTMLElement | null) =>
  sheet
    ? followSwipe(sheet, (direction) => {
        if (direction === 'back') layoutStore.setState({ drawerOpen: false })
      })
    : undefined

/** The chat list as an overlay for narrow windows. Escape, a tap outside and a swipe close it. */
function Drawer({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const open = useStore(layoutStore, (state) => state.drawerOpen)
  const focus = useReturnFocus(focusSheet)
  return (
    <Radix.Root open={open} onOpenChange={(drawerOpen) => layoutStore.setState({ drawerOpen })}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-30 animate-appear bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          {...focus}
          ref={swipeToClose}
          className="fixed inset-y-0 start-0 z-40 w-sidebar max-w-[85vw] animate-appear shadow-high outline-none"
        >
          <Radix.Title className="sr-only">{t('chats.title')}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

const titleOf = (chatId: string): string => selectChat(chatId)(chatsStore.getState())?.title ?? ''

/** Chat list and chat side by side; on narrow windows the list is a drawer. */
export function Shell({ children }: { children: ReactNode }) {
  const route = useRoute()
  const currentId = route.name === 'chat' ? route.chatId : null
  const sidebarOpen = useStore(layoutStore, (state) => state.sidebarOpen)
  const narrow = useMedia(NARROW)
  const page = useRef<HTMLElement>(null)
  useEffect(() => layoutStore.setState({ drawerOpen: false }), [route])
  useEffect(() => {
    if (!narrow || !page.current) return undefined
    return followSwipe(page.current, (direction) => {
      if (direction === 'forward') layoutStore.setState({ drawerOpen: true })
    })
  }, [narrow])
  return (
    <div className="flex h-full">
      <SkipLinks />
      {sidebarOpen && !narrow && (
        <aside className="w-sidebar shrink-0 border-e border-line">
          <Sidebar currentId={currentId} />
        </aside>
      )}
      {narrow && (
        <Drawer>
          <Sidebar currentId={currentId} />
        </Drawer>
      )}
      <main ref={page} className="flex min-w-0 flex-1 flex-col bg-page">
        <WaitingApprovals
          dialogs={dialogs}
          currentId={currentId}
          titleOf={titleOf}
          onShow={(id) => navigate(chatPath(id))}
        />
        {children}
      </main>
      <QuestionDialog dialogs={dialogs} titleOf={titleOf} />
    </div>
  )
}
