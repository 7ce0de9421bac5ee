import { ChevronRight } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'

interface FeatureButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'children'> {
  readonly icon: ReactNode
  readonly label: string
  /** Label beside the icon, when not collapsed; default: the full one. */
  readonly short?: string
  readonly isOn?: boolean
}

/** State of a row of the collapsed menu, drawn as a switch; the button itself names it. */
const SwitchMark = ({ isOn }: { isOn: boolean }) => (
  <span
    aria-hidden="true"
    className={classNames(
      'ms-auto hidden h-6 w-10 shrink-0 items-center rounded-full border px-[3px] transition-colors duration-(--motion-in) in-data-folded:flex',
      isOn ? 'justify-end border-accent bg-accent' : 'border-edge bg-sunken',
    )}
  >
    <span
      className={classNames(
        'size-4.5 rounded-full forced-colors:bg-[ButtonText]',
        isOn ? 'bg-on-accent' : 'bg-edge',
      )}
    />
  </span>
)

/**
 * A feature of the next answer: an icon with a label below the message box, or a row in the
 * collapsed menu.
 */
export function FeatureButton({
  icon,
  label,
  short = label,
  isOn = false,
  className,
  ...rest
}: FeatureButtonProps) {
  const hasState = rest['aria-pressed'] !== undefined
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      className={classNames(
        'inline-flex h-8 items-center justify-center gap-1.5 rounded-full px-2.5 text-ui hover:bg-hover in-data-folded:flex-1 in-data-folded:justify-start in-data-folded:gap-3 in-data-folded:rounded-medium pointer-coarse:min-h-11 pointer-coarse:min-w-11 [&>svg]:size-4 [&>svg]:shrink-0',
        isOn
          ? 'bg-accent-soft font-medium text-accent-strong dark:text-accent'
          : 'text-muted in-data-folded:text-ink in-data-folded:[&>svg]:text-muted',
        isOn && hasState && 'in-data-folded:bg-transparent in-data-folded:hover:bg-hover',
        className,
      )}
    >
      {icon}
      <span className="hidden min-w-0 text-start in-data-folded:inline">{label}</span>
      <span className="in-data-folded:hidden">{short}</span>
      {hasState && <SwitchMark isOn={isOn} />}
      {rest['aria-haspopup'] !== undefined && (
        <ChevronRight
          aria-hidden="true"
          className="ms-auto hidden text-muted in-data-folded:block rtl:-scale-x-100"
        />
      )}
    </button>
  )
}
