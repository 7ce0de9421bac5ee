import { useState } from 'react'

interface OpenProps {
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
}

/**
 * Returns the open state of a panel or menu, kept here unless its owner controls it. The content is
 * only rendered while open: if closed during its opening animation, the primitive alone would keep
 * the panel until the animation ends, and it would consume the next Escape.
 */
export function useOpen({ open, onOpenChange }: OpenProps): [boolean, (open: boolean) => void] {
  const [ownOpen, setOwnOpen] = useState(false)
  const change = (next: boolean): void => {
    setOwnOpen(next)
    onOpenChange?.(next)
  }
  return [open ?? ownOpen, change]
}
