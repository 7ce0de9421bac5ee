import { ChevronDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { Field, inputClasses } from '../fields/field.tsx'

interface SelectOption {
  readonly value: string
  readonly label: string
  /** True if its label is not natural language, such as the name of a method. */
  readonly isExempt?: boolean
  /** Language of its label if not that of the UI. */
  readonly lang?: string
}

export interface SelectBoxProps extends Omit<ComponentProps<'select'>, 'children' | 'onChange'> {
  readonly options: readonly SelectOption[]
  /** Only as wide as its longest choice. */
  readonly isNarrow?: boolean
  /** Called with the chosen value. */
  readonly onChange: (value: string) => void
}

/**
 * A select without a label; uses the native control, so that it works with every screen reader and
 * touch screen.
 */
export function SelectBox({
  options,
  isNarrow = false,
  className,
  onChange,
  ...rest
}: SelectBoxProps) {
  return (
    <span
      className={classNames(
        'relative',
        isNarrow ? 'inline-block max-w-full shrink-0' : 'block w-full min-w-0',
      )}
    >
      <select
        {...rest}
        onChange={({ target }) => onChange(target.value)}
        className={classNames(inputClasses, 'appearance-none pe-9', className)}
      >
        {options.map(({ value, label, isExempt, lang }) => (
          <option
            key={value}
            value={value}
            lang={lang}
            className="bg-raised text-ink"
            data-exempt={isExempt || undefined}
          >
            {label}
          </option>
        ))}
      </select>
      <ChevronDown className="pointer-events-none absolute end-3 top-1/2 size-4 -translate-y-1/2 text-muted" />
    </span>
  )
}

export interface SelectProps extends Omit<SelectBoxProps, 'id' | 'isNarrow'> {
  readonly label: string
  readonly hint?: ReactNode
}

/** A labelled select. */
export function Select({ label, hint, ...rest }: SelectProps) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => <SelectBox {...rest} {...ids} />}
    </Field>
  )
}
