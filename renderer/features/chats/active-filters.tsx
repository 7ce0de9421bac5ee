import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { formatDay } from '../../lib/format-time.ts'
import type { ChatsStore } from './chats-store.ts'
import { listFilters, searchChats, withoutFilter } from './search-chats.ts'

/**
 * Noon, so that the day is the same everywhere; isolated, because the marks inside of an Arabic date
 * reorder it beside Latin words.
 */
const dayOf = (value: string): string =>
  `\u2068${formatDay(Date.parse(`${value}T12:00`) / 1000)}\u2069`

const FLAGS = {
  archived: 'chats.archivedMark',
  files: 'chats.help.files',
  pinned: 'chats.pinned',
  shared: 'chats.sharedMark',
} as const

function useWords(): (name: string, value: string) => string {
  const { t } = useTranslation()
  return (name, value) => {
    if (name === 'after') return t('chats.help.since', { day: dayOf(value) })
    if (name === 'before') return t('chats.help.until', { day: dayOf(value) })
    if (name === 'tag' && value === 'none') return t('chats.help.untagged')
    if (name === 'tag') return t('chats.tagsOf', { tags: value })
    if (name === 'folder') return t('chats.inFolder', { name: value })
    if (value === 'true' && Object.hasOwn(FLAGS, name)) return t(FLAGS[name as keyof typeof FLAGS])
    return name === 'model' ? value : `${name}:${value}`
  }
}

/** What the filters in the search box did, in words; a press removes one. */
export function ActiveFilters({ store, text }: { store: ChatsStore; text: string }) {
  const { t } = useTranslation()
  const wordsOf = useWords()
  const filters = listFilters(text)
  if (filters.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-1 px-1 pb-1">
      {filters.map(({ name, value }) => {
        const words = wordsOf(name, value)
        return (
          <li key={name} className="max-w-full">
            <button
              type="button"
              aria-label={t('chats.help.remove', { name: words })}
              onClick={() => searchChats(store, withoutFilter(text, name))}
              className="flex h-6 max-w-full items-center gap-1 rounded-full bg-accent-soft ps-2.5 pe-1.5 text-small text-accent-strong hover:bg-pressed pointer-coarse:min-h-11 dark:text-accent forced-colors:border"
            >
              <bdi className="truncate">{words}</bdi>
              <X aria-hidden="true" className="size-3.5 shrink-0" />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
