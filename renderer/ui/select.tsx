import { ChevronDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'
import { Field, inputClasses } from './field.tsx'

export interface SelectProps extends Omit<ComponentProps<'select'>, 'id' | 'children'> {
  label: string
  hint?: ReactNode
  options: readonly { readonly value: string; readonly label: string }[]
}

/** A labelled choice of one; the system's own list, so that it works with every reader and touch screen. */
export function Select({ label, hint, options, className, ...rest }: SelectProps) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <span className="relative block">
          <select {...rest} {...ids} className={classNames(inputClasses, 'appearance-none pe-9', className)}>
            {options.map((option) => (
              <option key={option.value} value={option.value} className="bg-raised text-ink">
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDown aria-hidden="true" className="pointer-events-none absolute end-3 top-1/2 size-4 -translate-y-1/2 text-muted" />
        </span>
      )}
    </Field>
  )
}
