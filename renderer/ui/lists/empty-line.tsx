import type { ReactNode } from 'react'

/** What stands in place of a short list without entries that is not the matter of its page. */
export function EmptyLine({ children }: { children: ReactNode }) {
  return (
    <p className="rounded-large border border-dashed border-edge/50 px-4 py-6 text-center text-small text-muted">
      {children}
    </p>
  )
}
