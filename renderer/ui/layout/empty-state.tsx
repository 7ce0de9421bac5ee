import type { ReactNode } from 'react'

interface EmptyStateProps {
  readonly icon?: ReactNode
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** Placeholder of an empty page: what belongs here and the next step. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-10 text-center">
      {icon && <span className="mb-1 text-faint [&_svg]:size-7 [&_svg]:stroke-[1.5]">{icon}</span>}
      <p className="font-medium">{title}</p>
      {children && <p className="max-w-sm text-small text-muted">{children}</p>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  )
}
