import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../lib/class-names.ts'
import '../strings.ts'
import { type Emoji, findEmoji, listEmoji, nameOf } from './emoji-list.ts'
import './emoji-picker.css'
import './sign.css'
import { noteEmoji, recentEmoji } from './recent-emoji.ts'

const COLUMNS = 8

interface Section {
  readonly key: string
  readonly title: string
  readonly emoji: readonly Emoji[]
}

function useSections(query: string): readonly Section[] {
  const { t } = useTranslation()
  return useMemo(() => {
    if (query.trim() !== '')
      return [{ key: 'found', title: t('channels.emoji.found'), emoji: findEmoji(query) }]
    const recent = recentEmoji().map((sign) => ({ sign, name: nameOf(sign) }))
    return [
      { key: 'recent', title: t('channels.emoji.recent'), emoji: recent },
      ...listEmoji().map(([group, emoji]) => ({
        key: group,
        title: t(`channels.emoji.groups.${group}`),
        emoji,
      })),
    ]
  }, [query, t])
}

interface Place {
  readonly section: number
  readonly index: number
}

/**
 * Returns the position an arrow key moves to: along a row, or to the same column of the next row,
 * across groups too.
 */
export function step(counts: readonly number[], { section, index }: Place, key: string): Place {
  const size = counts[section] ?? 0
  const next = counts.findIndex((count, place) => place > section && count > 0)
  const before = counts.findLastIndex((count, place) => place < section && count > 0)
  if (key === 'ArrowRight')
    return index + 1 < size
      ? { section, index: index + 1 }
      : next < 0
        ? { section, index }
        : { section: next, index: 0 }
  if (key === 'ArrowLeft') {
    return index > 0
      ? { section, index: index - 1 }
      : before < 0
        ? { section, index }
        : { section: before, index: counts[before]! - 1 }
  }
  const column = index % COLUMNS
  if (key === 'ArrowDown') {
    if (index + COLUMNS < size) return { section, index: index + COLUMNS }
    // Moves to the end of a shorter last row.
    if (Math.floor(index / COLUMNS) < Math.floor((size - 1) / COLUMNS))
      return { section, index: size - 1 }
    return next < 0
      ? { section, index }
      : { section: next, index: Math.min(column, counts[next]! - 1) }
  }
  if (index - COLUMNS >= 0) return { section, index: index - COLUMNS }
  if (before < 0) return { section, index }
  const lastRow = Math.floor((counts[before]! - 1) / COLUMNS) * COLUMNS
  return { section: before, index: Math.min(lastRow + column, counts[before]! - 1) }
}

const MOVING = new Set(['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp'])

/**
 * Emoji by group and name. The focus stays in the box; arrows move, Enter selects. Nothing is
 * loaded from external servers.
 */
export function EmojiPicker({ onChoose }: { onChoose: (emoji: string) => void }) {
  const { t } = useTranslation()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [query, setQuery] = useState('')
  const [place, setPlace] = useState<Place>({ section: 0, index: 0 })
  const sections = useSections(query)
  const active = sections[place.section]?.emoji[place.index]
  const optionId = ({ section, index }: Place): string => `${id}-${section}-${index}`
  const activeId = active ? optionId(place) : undefined
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  const choose = (sign: string): void => {
    noteEmoji(sign)
    onChoose(sign)
  }
  const handleKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    const isAlong = event.key === 'ArrowLeft' || event.key === 'ArrowRight'
    // With Shift, arrows along the line select text of the query.
    if (MOVING.has(event.key) && !(isAlong && query !== '' && event.shiftKey)) {
      event.preventDefault()
      const isMirrored = isAlong && getComputedStyle(event.currentTarget).direction === 'rtl'
      const key = isMirrored ? (event.key === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft') : event.key
      setPlace(
        step(
          sections.map(({ emoji }) => emoji.length),
          place,
          key,
        ),
      )
    } else if (event.key === 'Enter' && active) {
      event.preventDefault()
      choose(active.sign)
    }
  }
  return (
    <div className="flex h-[min(22rem,60dvh)] flex-col">
      <div className="flex shrink-0 items-center gap-2 border-b border-line ps-3">
        <Search className="size-4 shrink-0 text-muted" />
        <input
          // The panel opened before this part was loaded; on touch, focus would open the keyboard.
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a panel that just opened
          autoFocus={!matchMedia('(pointer: coarse)').matches}
          role="combobox"
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-activedescendant={activeId}
          aria-label={t('channels.emoji.search')}
          placeholder={t('channels.emoji.search')}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setPlace({ section: 0, index: 0 })
          }}
          onKeyDown={handleKey}
          className="h-11 min-w-0 flex-1 bg-transparent pe-3 outline-none"
        />
      </div>
      <div
        ref={list}
        id={`${id}-list`}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a grid of symbols, for which HTML has no element
        role="listbox"
        tabIndex={-1}
        aria-label={t('channels.emoji.title')}
        className="fades-below min-h-0 flex-1 overflow-y-auto px-2 pb-2"
      >
        {sections.map(({ key, title, emoji }, section) => (
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a part of the list, which is no form
          <div key={key} role="group" aria-label={title} className="emoji-group">
            <p
              aria-hidden="true"
              className="sticky top-0 bg-raised px-1 py-1.5 text-small font-medium text-muted"
            >
              {title}
            </p>
            <div role="presentation" className="grid grid-cols-8">
              {emoji.map(({ sign, name }, index) => {
                const isActive = section === place.section && index === place.index
                return (
                  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the box keeps the focus and handles the keys
                  <div
                    key={sign}
                    id={optionId({ section, index })}
                    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- entries of a grid for which HTML has no element
                    role="option"
                    aria-selected={isActive}
                    aria-label={name}
                    title={name}
                    tabIndex={-1}
                    data-exempt=""
                    onPointerDown={(event) => event.preventDefault()}
                    onClick={() => choose(sign)}
                    className={classNames(
                      'emoji-sign grid aspect-square cursor-default place-items-center rounded-small text-head-2 leading-none hover:bg-hover',
                      isActive && 'bg-pressed outline-2 -outline-offset-2 outline-accent',
                    )}
                  >
                    {sign}
                  </div>
                )
              })}
            </div>
          </div>
        ))}
        {sections[0]!.emoji.length === 0 && (
          <p className="px-2 py-8 text-center text-small text-muted">{t('channels.emoji.none')}</p>
        )}
      </div>
      <p
        aria-hidden="true"
        className="flex h-9 shrink-0 items-center gap-2 border-t border-line px-3 text-small text-muted"
      >
        {active && (
          <>
            <span className="emoji-sign text-head-1">{active.sign}</span>
            <span className="truncate" data-exempt="">
              {active.name}
            </span>
          </>
        )}
      </p>
    </div>
  )
}
