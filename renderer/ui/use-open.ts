import { useState } from 'react'

interface OpenProps {
  readonly open?: boolean | undefined
  readonly onOpenChange?: ((open: boolean) => void) | undefined
}

/**
 * Whether a panel or menu is open, kept here unless its owner keeps it. What is shown depends on
 * it: closed while it still appears, the primitive alone would keep the panel to the end of its
 * animation, and with it the next Escape.
 */
export function useOpen({ open, onOpenChange }: OpenProps): [boolean, (open: boolean) => void] {
  const [ownOpen, setOwnOpen] = useState(false)
  const change = (next: boolean): void => {
    setOwnOpen(next)
    onOpenChange?.(next)
  }
  return [open ?? ownOpen, change]
}
