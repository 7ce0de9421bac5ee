import { Check, Minus } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from '../../lib/class-names.ts'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange'> {
  /** Accessible name; omit it inside a `label`. */
  readonly label?: string
  readonly checked: boolean
  /** True if only some of the items it represents are checked. */
  readonly mixed?: boolean
  readonly onChange: (checked: boolean) => void
}

/** A checkbox that looks the same on every system. */
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
        className="peer absolute inset-0 m-0 size-full appearance-none rounded-small outline-none"
      />
      <span
        aria-hidden="true"
        className="pointer-events-none grid size-4.5 place-items-center rounded-small border border-edge bg-raised text-on-accent outline-offset-2 outline-accent transition-colors duration-(--motion-in) peer-checked:border-accent peer-checked:bg-accent peer-indeterminate:border-accent peer-indeterminate:bg-accent peer-focus-visible:outline-2 peer-disabled:opacity-50 forced-colors:text-[CanvasText] [&>svg]:hidden [&>svg]:size-3.5 peer-checked:[&>svg:first-child]:block peer-indeterminate:[&>svg:last-child]:block"
      >
        <Check strokeWidth={3} />
        <Minus strokeWidth={3} />
      </span>
    </span>
  )
}
