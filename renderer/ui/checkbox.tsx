import { Check, Minus } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from '../lib/class-names.ts'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange'> {
  /** The accessible name; leave it out inside a `label`. */
  readonly label?: string
  readonly checked: boolean
  /** Some of what it stands for is chosen. */
  readonly mixed?: boolean
  readonly onChange: (checked: boolean) => void
}

/** A box to tick, drawn alike on every system. */
export function Checkbox({
  label,
  checked,
  mixed = false,
  onChange,
  className,
  ...rest
}: CheckboxProps) {
  return (
    <span
      className={classNames(
        'relative inline-grid size-6 shrink-0 place-items-center pointer-coarse:size-11',
        className,
      )}
    >
      <input
        {...rest}
        type="checkbox"
        aria-label={label}
        checked={checked}
        ref={(input) => {
          if (input) input.indeterminate = mixed && !checked
        }}
        onChange={(event) => onChange(event.target.checked)}
        className="peer size-4.5 appearance-none rounded-small border border-edge bg-raised transition-colors duration-(--motion-in) checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:opacity-50 forced-colors:appearance-auto"
      />
      <Check
        aria-hidden="true"
        strokeWidth={3}
        className="pointer-events-none absolute hidden size-3.5 text-on-accent peer-checked:block forced-colors:hidden!"
      />
      <Minus
        aria-hidden="true"
        strokeWidth={3}
        className="pointer-events-none absolute hidden size-3.5 text-on-accent peer-indeterminate:block forced-colors:hidden!"
      />
    </span>
  )
}
