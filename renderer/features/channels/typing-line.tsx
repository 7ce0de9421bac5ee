import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { useRoom } from './room-view.ts'
import './typing-line.css'
import { formatLocale } from '../../lib/i18n.ts'

const NAMED = 3

/** Users who are typing. The line always reserves its space, so that nothing moves. */
export function TypingLine({ parentId }: { parentId: string | null }) {
  const { t } = useTranslation()
  const { room } = useRoom()
  const all = useStore(room.typists.store, ({ typists }) => typists)
  const names = useMemo(
    () => all.filter(({ thread }) => thread === parentId).map(({ name }) => name),
    [all, parentId],
  )
  const listed = new Intl.ListFormat(formatLocale(), { type: 'conjunction' }).format(
    names.slice(0, NAMED),
  )
  return (
    // Not announced to screen readers, as it changes constantly.
    <p
      data-testid="typing"
      className="flex h-5 min-w-0 items-center gap-1.5 px-2 text-small text-muted"
    >
      {names.length > 0 && (
        <>
          <span aria-hidden="true" className="typing-dots">
            <i />
            <i />
            <i />
          </span>
          <span className="truncate">
            {names.length > NAMED
              ? t('channels.typing.many')
              : t('channels.typing.some', { count: names.length, names: listed })}
          </span>
        </>
      )}
    </p>
  )
}
