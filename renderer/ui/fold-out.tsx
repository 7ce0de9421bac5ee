import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

/** Further fields behind a line of text that opens them. */
export function FoldOut({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="group">
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
