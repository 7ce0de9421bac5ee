import { type ReactNode, useEffect, useRef } from 'react'
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
  /** The accessible name. */
  readonly label: string
  /** How it is used, for those who look. */
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
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys arrive in the box, which keeps the focus
    <div
      ref={ref}
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- entries of a list that no tag draws
      role="option"
      aria-selected={active}
      tabIndex={-1}
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={onHover}
      onClick={onChoose}
      className={classNames(
        'flex min-h-9 cursor-default items-baseline gap-3 rounded-small [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:self-center [&>svg]:text-muted px-2.5 py-2 pointer-coarse:min-h-11',
        active && 'bg-hover forced-colors:outline',
      )}
    >
      {entry.icon}
      <bdi className="max-w-[60%] shrink-0 truncate font-medium text-accent-strong dark:text-accent">
        {entry.label}
      </bdi>
      <bdi className="min-w-0 flex-1 truncate text-muted">{entry.detail}</bdi>
    </div>
  )
}

/** What fits the word being typed, over the message box. */
export function TypedList({
  id,
  label,
  hint,
  entries,
  activeIndex,
  onHover,
  onChoose,
}: TypedListProps) {
  return (
    <div className="absolute inset-x-3 bottom-full z-30 mb-1 animate-rise rounded-large border border-line bg-raised text-ui shadow-high sm:inset-x-6">
      <div
        id={id}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a list beside a box that is typed in; no tag does that
        role="listbox"
        tabIndex={-1}
        aria-label={label}
        className="max-h-[min(18rem,36dvh)] overflow-y-auto p-1"
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
      <p className="border-t border-line px-3.5 py-1.5 text-small text-muted max-sm:hidden">
        {hint}
      </p>
    </div>
  )
}
