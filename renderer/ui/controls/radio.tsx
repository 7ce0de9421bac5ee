import { type ComponentProps, useId } from 'react'
import { classNames } from '../../lib/class-names.ts'

interface RadioProps extends Omit<ComponentProps<'input'>, 'type' | 'onChange'> {
  readonly onChange: () => void
}

/** A radio button that looks the same on every system; it is placed inside its label. */
export function Radio({ onChange, className, ...rest }: RadioProps) {
  return (
    <span
      className={classNames('relative inline-grid size-4.5 shrink-0 place-items-center', className)}
    >
      <input
        {...rest}
        type="radio"
        onChange={onChange}
        className="peer size-4.5 appearance-none rounded-full border border-edge bg-raised transition-colors duration-(--motion-in) checked:border-accent checked:bg-accent disabled:opacity-50 forced-colors:appearance-auto"
      />
      <span
        aria-hidden="true"
        className="pointer-events-none absolute hidden size-2 rounded-full bg-on-accent peer-checked:block forced-colors:hidden!"
      />
    </span>
  )
}

interface RadioOption<Value extends string> {
  readonly value: Value
  readonly label: string
  /** Explanation of the option. */
  readonly hint: string
}

interface RadioListProps<Value extends string> {
  /** Legend of the group; visible if `isLegendShown`, otherwise for screen readers only. */
  readonly legend: string
  readonly isLegendShown?: boolean
  readonly options: readonly RadioOption<Value>[]
  readonly value: string | null
  readonly disabled?: boolean
  readonly onChange: (value: Value) => void
}

/** Radio buttons in a column, each with an explanation. */
export function RadioList<Value extends string>({
  legend,
  isLegendShown = false,
  options,
  value,
  disabled = false,
  onChange,
}: RadioListProps<Value>) {
  const id = useId()
  return (
    <fieldset disabled={disabled} className="min-w-0">
      <legend className={isLegendShown ? 'mb-1.5 text-ui font-medium' : 'sr-only'}>{legend}</legend>
      <div className="overflow-hidden rounded-large border border-line bg-raised">
        {options.map((option) => (
          <label
            key={option.value}
            htmlFor={`${id}-${option.value}`}
            className="flex min-h-11 items-start gap-3 border-b border-line px-4 py-3 last:border-b-0 hover:bg-hover has-checked:bg-accent-soft/50"
          >
            <Radio
              id={`${id}-${option.value}`}
              aria-labelledby={`${id}-${option.value}-name`}
              aria-describedby={`${id}-${option.value}-hint`}
              name={id}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="mt-px"
            />
            <span className="min-w-0">
              <span id={`${id}-${option.value}-name`} className="block font-medium">
                {option.label}
              </span>
              <span
                id={`${id}-${option.value}-hint`}
                className="block text-small text-pretty text-muted"
              >
                {option.hint}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
