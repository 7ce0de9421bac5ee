import { ChevronRight } from 'lucide-react'
import { classNames } from '../lib/class-names.ts'

/** The arrow in the summary of a `details`: it points along the line, and down while that is open. */
export function FoldChevron({ className = 'size-3.5' }: { className?: string }) {
  return (
    <ChevronRight
      aria-hidden="true"
      className={classNames(
        // The summary it stands in counts, as one fold-out may lie in another.
        'shrink-0 transition-transform duration-(--motion-in) in-[details[open]>summary]:rotate-90 rtl:-scale-x-100 rtl:in-[details[open]>summary]:-rotate-90',
        className,
      )}
    />
  )
}
