import { type ReactNode, useState } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { FoldChevron } from './fold-chevron.tsx'

interface FoldOutProps {
  readonly title: ReactNode
  /** True if it is initially open. */
  readonly isOpen?: boolean
  /** True if the line is a row of full width. */
  readonly isRow?: boolean
  readonly children: ReactNode
}

/** Additional fields behind a line of text that opens them. */
export function FoldOut({ title, isOpen = false, isRow = false, children }: FoldOutProps) {
  // Stays as the user left it, regardless of later changes of `isOpen`.
  const [startsOpen] = useState(isOpen)
  return (
    <details open={startsOpen} className="group">
      <summary
        className={classNames(
          'h-control list-none pointer-coarse:min-h-11 items-center gap-1.5 rounded-small font-medium text-muted hover:text-ink [&::-webkit-details-marker]:hidden',
          isRow ? 'flex' : 'inline-flex pe-2',
        )}
      >
        <FoldChevron className="size-4" />
        {title}
      </summary>
      {children}
    </details>
  )
}
