import { ChevronRight } from 'lucide-react'
import { classNames } from '../../lib/class-names.ts'

/** The arrow in the summary of a `details`: points sideways when closed and down when open. */
export function FoldChevron({ className = 'size-3.5' }: { className?: string }) {
  return (
    <ChevronRight
      className={classNames(
        // Only the enclosing summary counts, since one `details` may be nested in another.
        'shrink-0 transition-transform duration-(--motion-in) in-[details[open]>summary]:rotate-90 rtl:-scale-x-100 rtl:in-[details[open]>summary]:-rotate-90',
        className,
      )}
    />
  )
}
