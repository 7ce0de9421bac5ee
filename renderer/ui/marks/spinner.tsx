import { classNames } from '../../lib/class-names.ts'

/** A rotating ring. Decorative: state the activity in text or through `announce`. */
export function Spinner({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'inline-block size-4 shrink-0 animate-spin rounded-full border-2 border-current border-e-transparent opacity-70',
        className,
      )}
    />
  )
}
