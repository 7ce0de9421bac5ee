import { Tooltip as Radix } from 'radix-ui'
import type { FocusEvent, ReactElement, ReactNode } from 'react'
import { isByPointer } from '../../lib/input-modality.ts'
import { Kbd } from '../marks/kbd.tsx'

/** Wraps the whole app once; tooltips share their delay. */
export const TooltipProvider = Radix.Provider

interface TooltipProps {
  readonly text: ReactNode
  /** Accelerator of the command, as in `#desktop`. */
  readonly accelerator?: string | null
  readonly side?: 'top' | 'bottom' | 'left' | 'right'
  readonly children: ReactElement
}

/**
 * Suppresses the tooltip of a button that regains the focus after a click, e.g. from its menu, and
 * any on touch screens, where the focus is moved by code more often than by a keyboard.
 */
function handleFocus(event: FocusEvent): void {
  if (isByPointer() || matchMedia('(pointer: coarse)').matches) event.preventDefault()
}

/** A short explanation on hover and focus. The element inside needs its own accessible name. */
export function Tooltip({ text, accelerator, side = 'bottom', children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild onFocus={handleFocus}>
        {children}
      </Radix.Trigger>
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
