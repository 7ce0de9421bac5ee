import { createContext, type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'
import { classNames } from '../../lib/class-names.ts'

/** Bar at the bottom of the surrounding dialog; null until it is there, undefined without one. */
export const DialogBar = createContext<HTMLElement | null | undefined>(undefined)

/**
 * Buttons of a form, in the bar of the dialog that contains it, which stays in sight however long
 * the form is. Outside of a dialog they follow the fields. A submit button names its form, because
 * the bar is not a part of it.
 */
export function DialogActions({
  children,
  className,
}: {
  readonly children: ReactNode
  readonly className?: string
}) {
  const bar = useContext(DialogBar)
  if (bar !== undefined) return bar && createPortal(children, bar)
  return (
    <div className={classNames('flex flex-wrap items-center justify-end gap-2 pt-1', className)}>
      {children}
    </div>
  )
}
