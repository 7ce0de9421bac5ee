import type { ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'

interface ChoiceChipProps {
  readonly isChosen: boolean
  readonly onClick: () => void
  readonly children: ReactNode
}

/** A small choice among others, such as a filter, that is on or off. */
export function ChoiceChip({ isChosen, onClick, children }: ChoiceChipProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onClick}
      className={classNames(
        'h-6 max-w-48 truncate rounded-full border px-2.5 text-small transition-colors duration-(--motion-in) pointer-coarse:min-h-11',
        isChosen
          ? 'border-accent bg-accent-soft font-medium text-accent-strong dark:text-accent'
          : 'border-line text-muted hover:bg-hover hover:text-ink',
      )}
    >
      <bdi>{children}</bdi>
    </button>
  )
}
