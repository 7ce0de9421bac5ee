import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { moveEntry } from './announcements-store.ts'

interface EntryListProps<Entry> {
  readonly entries: readonly Entry[]
  readonly onChange: (entries: readonly Entry[]) => void
  /** Returns the label of an entry by its position, starting at 1. */
  readonly nameOf: (place: number) => string
  readonly children: (entry: Entry, change: (part: Partial<Entry>) => void) => ReactNode
}

/** A list of forms whose entries can be moved and removed. */
export function EntryList<Entry>({ entries, onChange, nameOf, children }: EntryListProps<Entry>) {
  const { t } = useTranslation()
  return (
    <ol className="flex flex-col gap-3">
      {entries.map((entry, index) => {
        const name = nameOf(index + 1)
        const change = (part: Partial<Entry>): void =>
          onChange(entries.map((each, place) => (place === index ? { ...each, ...part } : each)))
        return (
          // oxlint-disable-next-line react/no-array-index-key -- typed text belongs to the position; entries have no other key
          <li
            key={index}
            aria-label={name}
            className="rounded-large border border-line bg-raised px-4 pt-2 pb-4"
          >
            <div className="mb-1 flex items-center justify-end gap-1">
              <span className="me-auto text-small text-muted">{name}</span>
              <IconButton
                label={t('admin.announcements.up', { name })}
                icon={<ArrowUp />}
                disabled={index === 0}
                onClick={() => onChange(moveEntry(entries, index, index - 1))}
              />
              <IconButton
                label={t('admin.announcements.down', { name })}
                icon={<ArrowDown />}
                disabled={index === entries.length - 1}
                onClick={() => onChange(moveEntry(entries, index, index + 1))}
              />
              <IconButton
                label={t('admin.announcements.removeEntry', { name })}
                icon={<Trash2 />}
                onClick={() => onChange(entries.filter((_, place) => place !== index))}
              />
            </div>
            {children(entry, change)}
          </li>
        )
      })}
    </ol>
  )
}
