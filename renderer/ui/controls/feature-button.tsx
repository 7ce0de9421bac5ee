import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'

interface FeatureButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'children'> {
  readonly icon: ReactNode
  readonly label: string
  /** Label beside the icon, when not collapsed. */
  readonly short: string
  readonly isOn?: boolean
}

/**
 * A feature of the next answer: an icon with a label below the message box, or a row in the
 * collapsed menu.
 */
export function FeatureButton({
  icon,
  label,
  short,
  isOn = false,
  className,
  ...rest
}: FeatureButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      className={classNames(
        'inline-flex h-8 items-center justify-center gap-1.5 rounded-full px-2.5 text-ui hover:bg-hover in-data-folded:flex-1 in-data-folded:justify-start in-data-folded:gap-3 in-data-folded:rounded-medium pointer-coarse:min-h-11 pointer-coarse:min-w-11 [&>svg]:size-4 [&>svg]:shrink-0',
        isOn ? 'bg-accent-soft font-medium text-accent-strong dark:text-accent' : 'text-muted',
        className,
      )}
    >
      {icon}
      <span className="hidden text-start in-data-folded:inline">{label}</span>
      <span className="in-data-folded:hidden">{short}</span>
    </button>
  )
}
