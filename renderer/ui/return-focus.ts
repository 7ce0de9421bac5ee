import { useRef } from 'react'

interface FocusHandlers {
  readonly onOpenAutoFocus: (event: Event) => void
  readonly onCloseAutoFocus: (event: Event) => void
}

/**
 * Gives the focus back to where it was before a sheet opened. The dialog primitive only knows a
 * trigger of its own, and these sheets are opened by commands. `place` decides what has the focus
 * inside; without it the first control.
 */
export function useReturnFocus(place?: (event: Event) => void): FocusHandlers {
  const before = useRef<Element | null>(null)
  return {
    onOpenAutoFocus(event) {
      before.current = document.activeElement
      place?.(event)
    },
    onCloseAutoFocus(event) {
      event.preventDefault()
      if (before.current instanceof HTMLElement && before.current.isConnected)
        before.current.focus()
    },
  }
}
