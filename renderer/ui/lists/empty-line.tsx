import type { ReactNode } from 'react'

/** Placeholder of a short empty list that is not the page's main content. */
export function EmptyLine({ children }: { children: ReactNode }) {
  return (
    <p className="rounded-large border border-dashed border-edge/50 px-4 py-6 text-center text-small text-muted">
      {children}
    </p>
  )
}
