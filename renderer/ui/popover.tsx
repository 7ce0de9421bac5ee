import { Popover as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'
import { useOpen } from './use-open.ts'

interface PopoverProps {
  readonly trigger: ReactElement
  /** Name of the opened panel for screen readers. */
  readonly label: string
  readonly children: ReactNode
  readonly align?: 'start' | 'center' | 'end'
  readonly side?: 'top' | 'bottom'
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
  readonly className?: string
  /** Decides where the focus goes afterwards; by default back to the button. */
  readonly onCloseAutoFocus?: (event: Event) => void
}

/** A panel beside a button. */
export function Popover(props: PopoverProps) {
  const {
    trigger,
    label,
    children,
    align = 'start',
    side = 'bottom',
    onCloseAutoFocus,
    className,
  } = props
  const [open, changeOpen] = useOpen(props)
  return (
    <Radix.Root open={open} onOpenChange={changeOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      {open && (
        <Radix.Portal>
          <Radix.Content
            aria-label={label}
            align={align}
            side={side}
            sideOffset={6}
            collisionPadding={8}
            onCloseAutoFocus={onCloseAutoFocus}
            className={classNames(
              'z-50 max-h-(--radix-popover-content-available-height) max-w-[calc(100vw-1rem)] animate-rise overflow-auto rounded-large border border-line bg-raised text-ui text-ink shadow-high outline-none',
              className,
            )}
          >
            {children}
          </Radix.Content>
        </Radix.Portal>
      )}
    </Radix.Root>
  )
}
