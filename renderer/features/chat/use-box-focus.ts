import { type RefObject, useEffect } from 'react'
import { isByPointer } from '../../lib/input-modality.ts'

type Box = RefObject<HTMLTextAreaElement | null>

/** Things that take letters themselves, or that lie over the conversation. */
const TAKES_LETTERS =
  'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"], [role="tree"], [role="grid"], [role="textbox"], [data-row], video, audio, iframe'
/** With one of these open, letters are not for the conversation behind it. */
const OVERLAY = '[role="dialog"], [role="alertdialog"], [role="menu"]'

/** A keyboard on the screen would cover half of a phone. */
const hasKeyboard = (): boolean => !matchMedia('(pointer: coarse)').matches

const isNowhere = (): boolean =>
  document.activeElement === null || document.activeElement === document.body

/**
 * Whether a key pressed anywhere begins a message. Space and Enter press the button that has the
 * focus, and keys with Ctrl, Alt or Command are commands.
 */
function isForBox(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.key.length !== 1 || event.key === ' ')
    return false
  if (event.ctrlKey || event.metaKey || event.altKey) return false
  if (document.querySelector(OVERLAY)) return false
  const target = event.target instanceof Element ? event.target : null
  return !target?.closest(TAKES_LETTERS)
}

/**
 * Gives the message box the focus when a conversation comes onto the screen, unless somebody walks
 * through the page with keys; letters typed anywhere go there.
 */
export function useBoxFocus(box: Box): void {
  useEffect(() => {
    if (hasKeyboard() && (isNowhere() || isByPointer()) && !document.querySelector(OVERLAY))
      box.current?.focus({ preventScroll: true })
  }, [box])
  useEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      if (isForBox(event)) box.current?.focus()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [box])
}
