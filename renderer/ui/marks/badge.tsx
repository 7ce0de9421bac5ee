import type { ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'

export type BadgeTone = 'neutral' | 'accent' | 'warning' | 'danger'

const TONES: Record<BadgeTone, string> = {
  neutral: 'bg-hover text-muted',
  accent: 'bg-accent-soft text-accent-strong dark:text-accent',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
}

/** Short label for the adjacent item. */
export function Badge({
  tone = 'neutral',
  icon,
  children,
}: {
  tone?: BadgeTone
  icon?: ReactNode
  children: ReactNode
}) {
  return (
    <span
      className={classNames(
        'inline-flex shrink-0 items-center gap-1 rounded-full px-2 py-px text-tiny font-medium whitespace-nowrap [&_svg]:size-3 forced-colors:border',
        TONES[tone],
      )}
    >
      {icon}
      {children}
    </span>
  )
}
