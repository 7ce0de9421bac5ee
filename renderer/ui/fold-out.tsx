import { type ReactNode, useState } from 'react'
import { classNames } from '../lib/class-names.ts'
import { FoldChevron } from './fold-chevron.tsx'

interface FoldOutProps {
  readonly title: ReactNode
  /** Whether it is open before anybody has pressed the line. */
  readonly isOpen?: boolean
  /** Whether the line is a row of its own, as wide as what it stands in. */
  readonly isRow?: boolean
  readonly children: ReactNode
}

/** Further fields behind a line of text that opens them. */
export function FoldOut({ title, isOpen = false, isRow = false, children }: FoldOutProps) {
  // It stays as people left it, whatever the page knows by now.
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
