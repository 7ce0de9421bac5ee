import { type RefObject, useEffect, useState } from 'react'
import { findCommand, type TypedCommand } from './find-command.ts'

type Box = RefObject<HTMLTextAreaElement | null>

interface Typing {
  readonly command: TypedCommand | null
  /** Where a slash stands that is to stay one. */
  readonly dismissed: number | null
}

const NOTHING: Typing = { command: null, dismissed: null }

const isSame = (left: TypedCommand | null, right: TypedCommand | null): boolean =>
  left?.start === right?.start && left?.end === right?.end && left?.word === right?.word

function readBox(element: HTMLTextAreaElement | null): TypedCommand | null {
  const isHere = element !== null && document.activeElement === element && element.selectionStart === element.selectionEnd
  return isHere ? findCommand(element.value, element.selectionStart) : null
}

/** The command at the caret of the box, as long as the box has the focus and nobody dismissed it. */
export function useTypedCommand(box: Box, text: string): { command: TypedCommand | null; dismiss: (start: number) => void } {
  const [{ command, dismissed }, setTyping] = useState(NOTHING)
  useEffect(() => {
    const read = (): void => {
      const found = readBox(box.current)
      setTyping((before) => {
        if (isSame(before.command, found)) return before
        return { command: found, dismissed: found && found.start === before.dismissed ? before.dismissed : null }
      })
    }
    // The caret moves after the text was drawn.
    const frame = requestAnimationFrame(read)
    document.addEventListener('selectionchange', read)
    return () => {
      cancelAnimationFrame(frame)
      document.removeEventListener('selectionchange', read)
    }
  }, [box, text])
  return {
    command: command !== null && command.start === dismissed ? null : command,
    dismiss: (start) => setTyping((before) => ({ ...before, dismissed: start })),
  }
}

export interface ListControl {
  readonly isOpen: boolean
  readonly onMove: (step: 1 | -1) => void
  readonly onChoose: () => void
  readonly onDismiss: () => void
}

/** Keys of an open list go to it before the box sees them. */
export function useListKeys(box: Box, { isOpen, onMove, onChoose, onDismiss }: ListControl): void {
  useEffect(() => {
    const element = box.current
    if (!isOpen || !element) return
    const handlers: Readonly<Record<string, () => void>> = {
      ArrowDown: () => onMove(1),
      ArrowUp: () => onMove(-1),
      Enter: onChoose,
      Tab: onChoose,
      Escape: onDismiss,
    }
    const handleKey = (event: KeyboardEvent): void => {
      const act = handlers[event.key]
      // A key that ends a composition belongs to the input method; some browsers only tell by the key code.
      if (!act || event.shiftKey || event.isComposing || event.keyCode === 229) return
      event.preventDefault()
      event.stopPropagation()
      act()
    }
    element.addEventListener('keydown', handleKey)
    return () => element.removeEventListener('keydown', handleKey)
  })
}

const DESCRIPTION = ['aria-autocomplete', 'aria-controls', 'aria-activedescendant'] as const

/** Tells screen readers which entry the arrows stand on while the focus stays in the box. */
export function useDescribedBox(box: Box, listId: string, activeId: string | null): void {
  useEffect(() => {
    const element = box.current
    if (!element || activeId === null) return
    const values = ['list', listId, activeId]
    for (const [place, name] of DESCRIPTION.entries()) element.setAttribute(name, values[place] ?? '')
    return () => {
      for (const name of DESCRIPTION) element.removeAttribute(name)
    }
  }, [box, listId, activeId])
}
