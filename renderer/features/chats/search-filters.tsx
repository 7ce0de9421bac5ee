import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { ChatTag } from '#contract/chat-lists.ts'
import { call, endpoints } from '../../api/client.ts'
import { toDay } from '../../lib/day.ts'
import { ChoiceChip } from '../../ui/controls/choice-chip.tsx'
import { PickerField } from '../../ui/fields/picker-field.tsx'
import type { ChatsStore } from './chats-store.ts'
import { searchChats, valueOf, withFilter, withoutFilter } from './search-chats.ts'

const MOST_SHOWN = 12

function useTags(): readonly ChatTag[] {
  const [tags, setTags] = useState<readonly ChatTag[]>([])
  useEffect(() => {
    // Without the tags the other filters are still of use.
    call(endpoints.chats.allTags, {}).then(setTags, () => setTags([]))
  }, [])
  return tags
}

/** Returns the first and, if it is over, the last limit of each span of time that is offered. */
function listSpans(now: Date) {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  const thisMonth = toDay(new Date(year, month, 1))
  return [
    { name: 'week', after: toDay(new Date(year, month, day - 7)), before: '' },
    { name: 'month', after: thisMonth, before: '' },
    { name: 'lastMonth', after: toDay(new Date(year, month - 1, 1)), before: thisMonth },
  ] as const
}

const FLAGS = [
  { name: 'files', value: 'true', label: 'chats.help.files' },
  { name: 'archived', value: 'true', label: 'chats.archivedMark' },
  { name: 'pinned', value: 'true', label: 'chats.pinned' },
  { name: 'shared', value: 'true', label: 'chats.sharedMark' },
  { name: 'tag', value: 'none', label: 'chats.help.untagged' },
] as const

function Choices({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0 px-3 pt-3">
      <legend className="float-left mb-1.5 w-full text-small font-medium text-muted">
        {title}
      </legend>
      <div className="clear-both flex flex-wrap gap-1.5">{children}</div>
    </fieldset>
  )
}

interface SearchFiltersProps {
  readonly store: ChatsStore
  /** Folder names by id. */
  readonly folderNames: ReadonlyMap<string, string>
  readonly onChosen: () => void
}

/** Filters of the search; each is written into the box, where it can be changed. */
export function SearchFilters({ store, folderNames, onChosen }: SearchFiltersProps) {
  const { t } = useTranslation()
  const tags = useTags()
  const text = useStore(store, (state) => state.search.text)
  const [spans] = useState(() => listSpans(new Date()))
  const [after, before] = [valueOf(text, 'after'), valueOf(text, 'before')]
  const set = (from: string, name: string, value: string): string =>
    value === '' ? withoutFilter(from, name) : withFilter(from, name, value)
  const setSpan = (first: string, last: string): void =>
    searchChats(store, set(set(text, 'after', first), 'before', last))
  const draw = (name: string, value: string, words: string) => {
    const isChosen = valueOf(text, name) === value
    const handleClick = (): void => {
      searchChats(store, isChosen ? withoutFilter(text, name) : withFilter(text, name, value))
      onChosen()
    }
    return (
      <ChoiceChip key={`${name} ${value}`} isChosen={isChosen} onClick={handleClick}>
        {words}
      </ChoiceChip>
    )
  }
  const folders = [...new Set(folderNames.values())].slice(0, MOST_SHOWN)
  return (
    <div className="pb-3">
      <Choices title={t('chats.help.changed')}>
        {spans.map((span) => {
          const isChosen = span.after === after && span.before === before
          const handleClick = (): void => {
            setSpan(isChosen ? '' : span.after, isChosen ? '' : span.before)
            onChosen()
          }
          return (
            <ChoiceChip key={span.name} isChosen={isChosen} onClick={handleClick}>
              {t(`chats.help.${span.name}`)}
            </ChoiceChip>
          )
        })}
        <div className="mt-1 grid w-full grid-cols-2 gap-2">
          <PickerField
            type="date"
            label={t('chats.help.from')}
            value={after}
            onChange={(day) => setSpan(day, before)}
          />
          <PickerField
            type="date"
            label={t('chats.help.before')}
            value={before}
            onChange={(day) => setSpan(after, day)}
          />
        </div>
      </Choices>
      <Choices title={t('chats.help.only')}>
        {FLAGS.map(({ name, value, label }) => draw(name, value, t(label)))}
      </Choices>
      {folders.length > 0 && (
        <Choices title={t('folders.title')}>
          {folders.map((name) => draw('folder', name, name))}
        </Choices>
      )}
      {tags.length > 0 && (
        <Choices title={t('chats.help.yourTags')}>
          {tags.slice(0, MOST_SHOWN).map(({ name }) => draw('tag', name, name))}
        </Choices>
      )}
      <p className="px-3 pt-3 text-small text-pretty text-muted">{t('chats.help.text')}</p>
    </div>
  )
}
