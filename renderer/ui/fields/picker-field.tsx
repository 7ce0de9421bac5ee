import type { ComponentProps } from 'react'
import { TextField } from './text-field.tsx'

type PickerFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'className'> & {
  readonly type: 'color' | 'date' | 'time'
}

const DATE_CLASSES =
  'tabular-nums [&::-webkit-calendar-picker-indicator]:cursor-pointer [&::-webkit-calendar-picker-indicator]:opacity-55 hover:[&::-webkit-calendar-picker-indicator]:opacity-100'
const COLOUR_CLASSES =
  'w-16! cursor-pointer p-1! [&::-webkit-color-swatch-wrapper]:p-0 [&::-webkit-color-swatch]:rounded-small [&::-webkit-color-swatch]:border-0'

/**
 * A labelled date, time or colour, drawn like the other fields. The browser's own input stays, for
 * its keyboard and its screen reader support.
 */
export function PickerField({ type, ...rest }: PickerFieldProps) {
  return (
    <TextField {...rest} type={type} className={type === 'color' ? COLOUR_CLASSES : DATE_CLASSES} />
  )
}
