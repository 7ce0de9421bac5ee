import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { classNames } from '../../lib/class-names.ts'

/** One line of the list. */
export interface TypedEntry {
  readonly key: string
  readonly icon?: ReactNode
  readonly label: string
  readonly detail: string
}

interface TypedListProps {
  readonly id: string
  /** Accessible name. */
  readonly label: string
  /** Usage hint. */
  readonly hint: string
  readonly entries: readonly TypedEntry[]
  readonly activeIndex: number
  readonly onHover: (index: number) => void
  readonly onChoose: (index: number) => void
}

export const optionId = (listId: string, index: number): string => `${listId}-${index}`

interface OptionProps {
  readonly id: string
  readonly entry: TypedEntry
  readonly active: boolean
  readonly onHover: () => void
  readonly onChoose: () => void
}

function Option({ id, entry, active, onHover, onChoose }: OptionProps) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (active) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the box keeps the focus and handles the keys
    <div
      ref={ref}
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- entries of a list for which HTML has no element
      role="option"
      aria-selected={active}
      tabIndex={-1}
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={onHover}
      onClick={onChoose}
      className={classNames(
        'flex min-h-9 cursor-default items-center gap-3 rounded-small px-2.5 py-2 pointer-coarse:min-h-11',
        active && 'bg-hover forced-colors:outline',
      )}
    >
      {entry.icon && (
        <span className="flex size-5 shrink-0 items-center justify-center text-muted [&>svg]:size-4">
          {entry.icon}
        </span>
      )}
      <bdi className="max-w-[60%] shrink-0 truncate font-medium text-accent-strong dark:text-accent">
        {entry.label}
      </bdi>
      <bdi className="min-w-0 flex-1 truncate text-muted">{entry.detail}</bdi>
    </div>
  )
}

/** Minimum height above the box; with less, the list opens below it. */
const LEAST_ABOVE = 220
const MARGIN = 8

/** Returns the nearest ancestor that clips overflowing content. */
const cutterOf = (element: Element): Element =>
  element.parentElement?.closest('.overflow-y-auto, main') ?? document.documentElement

/**
 * Returns the placement and maximum height of the list: above the box, or below it if a box in the
 * middle of the page leaves little space above.
 */
function useRoom(lines: number) {
  const ref = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState({ isBelow: false, height: 0 })
  useLayoutEffect(() => {
    const list = ref.current
    const place = list?.parentElement?.getBoundingClientRect()
    if (!list || !place) return
    const cutter = cutterOf(list).getBoundingClientRect()
    const above = place.top - Math.max(cutter.top, 0) - MARGIN
    const below = Math.min(cutter.bottom, innerHeight) - place.bottom - MARGIN
    const isBelow = above < LEAST_ABOVE && below > above
    setRoom({ isBelow, height: Math.floor(isBelow ? below : above) })
  }, [lines])
  return { ref, ...room }
}

/** List of matches for the word being typed, above the message box. */
export function TypedList({
  id,
  label,
  hint,
  entries,
  activeIndex,
  onHover,
  onChoose,
}: TypedListProps) {
  const { ref, isBelow, height } = useRoom(entries.length)
  return (
    <div
      ref={ref}
      style={{ maxHeight: height }}
      className={classNames(
        'absolute inset-x-3 z-30 flex animate-rise flex-col rounded-large border border-line bg-raised text-ui shadow-high sm:inset-x-6',
        isBelow ? 'top-full -mt-2' : 'bottom-full mb-1',
      )}
    >
      <div
        id={id}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a list beside a text box, for which HTML has no element
        role="listbox"
        tabIndex={-1}
        aria-label={label}
        className="fades-below max-h-72 min-h-0 flex-1 overflow-y-auto p-1"
      >
        {entries.map((entry, index) => (
          <Option
            key={entry.key}
            id={optionId(id, index)}
            entry={entry}
            active={index === activeIndex}
            onHover={() => index !== activeIndex && onHover(index)}
            onChoose={() => onChoose(index)}
          />
        ))}
      </div>
      <p className="shrink-0 border-t border-line px-3.5 py-1.5 text-small text-muted max-sm:hidden">
        {hint}
      </p>
    </div>
  )
}
