import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { Tooltip } from '../floating/tooltip.tsx'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** The accessible name, also shown as the tooltip. */
  label: string
  icon: ReactNode
  /** Text beside the icon if there is space; part of the label. */
  words?: ReactNode
  accelerator?: string | null
  size?: 'small' | 'medium'
  side?: 'top' | 'bottom' | 'left' | 'right'
  /**
   * Longer explanation shown in the tooltip instead of the label, for example why it is disabled.
   */
  hint?: string
}

/**
 * A button with an icon, as a square or with text; always with a name and a tooltip. For a disabled
 * button with an explanation use aria-disabled and `hint`.
 */
export function IconButton({
  label,
  icon,
  words,
  accelerator,
  size = 'medium',
  side,
  hint,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={hint ?? label} accelerator={accelerator} side={side}>
      <button
        {...rest}
        type={type}
        aria-label={label}
        className={classNames(
          'inline-flex shrink-0 items-center justify-center rounded-medium text-muted transition-colors duration-(--motion-in) hover:bg-hover hover:text-ink active:bg-pressed',
          'disabled:pointer-events-none disabled:opacity-45 aria-disabled:opacity-45 aria-disabled:hover:bg-transparent data-[state=open]:bg-pressed data-[state=open]:text-ink',
          'pointer-coarse:min-h-11 pointer-coarse:min-w-11',
          size === 'small' ? 'size-6 rounded-small [&_svg]:size-3.5' : 'size-8 [&_svg]:size-4',
          words !== undefined &&
            'w-auto! min-w-8 gap-1.5 text-ui whitespace-nowrap has-[span]:px-2 [&_svg]:shrink-0',
          className,
        )}
      >
        {icon}
        {words}
      </button>
    </Tooltip>
  )
}
