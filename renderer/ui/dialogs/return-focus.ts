import { useRef } from 'react'

interface FocusHandlers {
  readonly onOpenAutoFocus: (event: Event) => void
  readonly onCloseAutoFocus: (event: Event) => void
}

/**
 * Restores the focus to where it was before a sheet opened. The dialog primitive only knows its own
 * trigger, but these sheets are opened by commands. `place` sets the initial focus; by default the
 * first control.
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
