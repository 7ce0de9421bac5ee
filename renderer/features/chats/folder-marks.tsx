import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { Spinner } from '../../ui/marks/spinner.tsx'
import { type ChatsStore, isUnread } from './chats-store.ts'

interface FolderMarksProps {
  readonly store: ChatsStore
  readonly folderId: string
  /** Number of chats in it; null while unknown. */
  readonly count: number | null
}

/**
 * Badges of a collapsed folder: whether one of its chats has an answer in progress or is unread,
 * and the number of chats.
 */
export function FolderMarks({ store, folderId, count }: FolderMarksProps) {
  const { t } = useTranslation()
  const { isActive, hasNew } = useStore(
    store,
    useShallow((state) => {
      const chats = state.chats.filter((chat) => chat.folder_id === folderId)
      return { isActive: chats.some((chat) => chat.active), hasNew: chats.some(isUnread) }
    }),
  )
  return (
    <>
      {isActive && (
        <>
          <Spinner className="size-3 border-[1.5px] text-accent" />
          <span className="sr-only">{t('chats.answering')}</span>
        </>
      )}
      {!isActive && hasNew && (
        <>
          <span
            aria-hidden="true"
            className="size-2 shrink-0 rounded-full bg-accent forced-colors:bg-[Highlight]"
          />
          <span className="sr-only">{t('chats.unread')}</span>
        </>
      )}
      {count !== null && count > 0 && (
        <span className="text-small text-muted tabular-nums">
          <span aria-hidden="true">{count}</span>
          <span className="sr-only">{t('chats.countOf', { count })}</span>
        </span>
      )}
    </>
  )
}
