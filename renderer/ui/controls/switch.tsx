import { Switch as Radix } from 'radix-ui'
import { useId, type ReactNode } from 'react'

interface SwitchProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly checked: boolean
  readonly disabled?: boolean
  readonly onChange: (checked: boolean) => void
}

interface SwitchControlProps {
  readonly checked: boolean
  readonly disabled?: boolean
  readonly onChange: (checked: boolean) => void
  readonly id?: string
  readonly 'aria-label'?: string
  readonly 'aria-describedby'?: string
}

/** The switch itself, for places with their own label. */
export function SwitchControl({ onChange, ...rest }: SwitchControlProps) {
  return (
    <Radix.Root
      {...rest}
      onCheckedChange={onChange}
      className="relative h-6 w-10 shrink-0 rounded-full border border-edge bg-sunken transition-colors before:absolute before:-inset-x-1 before:-inset-y-3 pointer-coarse:before:content-[''] duration-(--motion-in) data-[state=checked]:border-accent data-[state=checked]:bg-accent disabled:opacity-50"
    >
      <Radix.Thumb className="block size-4.5 translate-x-[3px] rounded-full bg-edge transition-[translate,background-color] duration-(--motion-in) data-[state=checked]:translate-x-[1.125rem] data-[state=checked]:bg-on-accent rtl:-translate-x-[3px] rtl:data-[state=checked]:-translate-x-[1.125rem] forced-colors:bg-[ButtonText]" />
    </Radix.Root>
  )
}

/** A labelled switch that takes effect immediately. */
export function Switch({ label, hint, checked, disabled, onChange }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <label htmlFor={id} className="text-ui font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="mt-0.5 text-small text-muted">
            {hint}
          </p>
        )}
      </div>
      <SwitchControl
        id={id}
        checked={checked}
        disabled={disabled}
        onChange={onChange}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
    </div>
  )
}
