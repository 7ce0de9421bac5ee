import { Tooltip as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { Kbd } from './kbd.tsx'

/** Wraps the whole app once; tooltips share their delay. */
export const TooltipProvider = Radix.Provider

interface TooltipProps {
  readonly text: ReactNode
  /** Accelerator of the command, as in `#desktop`. */
  readonly accelerator?: string | null
  readonly side?: 'top' | 'bottom' | 'left' | 'right'
  readonly children: ReactElement
}

/** A short explanation on hover and focus. The element inside needs its own accessible name. */
export function Tooltip({ text, accelerator, side = 'bottom', children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-60 flex max-w-72 animate-appear items-center gap-2 rounded-small bg-ink px-2 py-1 text-small text-page shadow-low forced-colors:border"
        >
          {text}
          {accelerator && <Kbd accelerator={accelerator} inverse />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
