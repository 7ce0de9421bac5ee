import { type RefObject, useEffect } from 'react'
import { isByPointer } from '../../../lib/input-modality.ts'

type Box = RefObject<HTMLTextAreaElement | null>

/** Selector of elements that handle typed letters themselves or cover the conversation. */
const TAKES_LETTERS =
  'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"], [role="tree"], [role="grid"], [role="textbox"], [data-row], video, audio, iframe'
/** While one of these is open, letters do not go to the conversation behind it. */
const OVERLAY = '[role="dialog"], [role="alertdialog"], [role="menu"]'

/** An on-screen keyboard would cover half of a phone. */
const hasKeyboard = (): boolean => !matchMedia('(pointer: coarse)').matches

const isNowhere = (): boolean =>
  document.activeElement === null || document.activeElement === document.body

/**
 * Returns true if a key pressed anywhere starts a message. Space and Enter press the focused
 * button, and keys with Ctrl, Alt or Command are commands.
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
 * Focuses the message box when a conversation is shown, unless the user navigates by keyboard;
 * letters typed anywhere go to it.
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
