import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'

interface FoldOutProps {
  readonly title: ReactNode
  /** Whether it is open before anybody has pressed the line. */
  readonly isOpen?: boolean
  readonly children: ReactNode
}

/** Further fields behind a line of text that opens them. */
export function FoldOut({ title, isOpen = false, children }: FoldOutProps) {
  // It stays as people left it, whatever the page knows by now.
  const [startsOpen] = useState(isOpen)
  return (
    <details open={startsOpen} className="group">
      <summary className="inline-flex h-control list-none pointer-coarse:min-h-11 items-center gap-1.5 rounded-small pe-2 font-medium text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden="true"
          className="size-4 transition-transform duration-(--motion-in) group-open:rotate-90 rtl:-scale-x-100"
        />
        {title}
      </summary>
      {children}
    </details>
  )
}
