import { type RefObject, useEffect, useState } from 'react'
import { findTypedWord, type TypedMark, type TypedWord } from './find-typed-word.ts'
import { optionId } from './typed-list.tsx'

type Box = RefObject<HTMLTextAreaElement | null>

interface Typing {
  readonly found: TypedWord | null
  /** Position of a trigger character that was dismissed and stays text. */
  readonly dismissed: number | null
}

const NOTHING: Typing = { found: null, dismissed: null }

const isSame = (left: TypedWord | null, right: TypedWord | null): boolean =>
  left?.start === right?.start && left?.end === right?.end && left?.word === right?.word

function readBox(element: HTMLTextAreaElement | null, mark: TypedMark): TypedWord | null {
  const isHere =
    element !== null &&
    document.activeElement === element &&
    element.selectionStart === element.selectionEnd
  return isHere ? findTypedWord(element.value, element.selectionStart, mark) : null
}

/**
 * Returns the word at the caret of the box, while the box has the focus and the list was not
 * dismissed.
 */
export function useTypedWord(
  box: Box,
  text: string,
  mark: TypedMark,
): { found: TypedWord | null; dismiss: (start: number) => void } {
  const [{ found, dismissed }, setTyping] = useState(NOTHING)
  useEffect(() => {
    const read = (): void => {
      const next = readBox(box.current, mark)
      setTyping((before) => {
        if (isSame(before.found, next)) return before
        return {
          found: next,
          dismissed: next && next.start === before.dismissed ? before.dismissed : null,
        }
      })
    }
    // The caret moves after the text is rendered.
    const frame = requestAnimationFrame(read)
    document.addEventListener('selectionchange', read)
    // The next key may arrive before the next frame, and applies to the current word.
    document.addEventListener('input', read)
    return () => {
      cancelAnimationFrame(frame)
      document.removeEventListener('selectionchange', read)
      document.removeEventListener('input', read)
    }
  }, [box, text, mark])
  return {
    found: found !== null && found.start === dismissed ? null : found,
    dismiss: (start) => setTyping((before) => ({ ...before, dismissed: start })),
  }
}

interface ListControl {
  readonly isOpen: boolean
  readonly onMove: (step: 1 | -1) => void
  readonly onChoose: () => void
  readonly onDismiss: () => void
}

/** Handles the keys of an open list before the box receives them. */
function useListKeys(box: Box, { isOpen, onMove, onChoose, onDismiss }: ListControl): void {
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
      // A key that ends a composition belongs to the input method; some browsers only indicate this
      // by the key code.
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

/** Announces the active entry to screen readers while the focus stays in the box. */
function useDescribedBox(box: Box, listId: string, activeId: string | null): void {
  useEffect(() => {
    const element = box.current
    if (!element || activeId === null) return
    const values = ['list', listId, activeId]
    for (const [place, name] of DESCRIPTION.entries())
      element.setAttribute(name, values[place] ?? '')
    return () => {
      for (const name of DESCRIPTION) element.removeAttribute(name)
    }
  }, [box, listId, activeId])
}

interface TypedRows {
  readonly listId: string
  /** Word that the rows match; null while none is typed. */
  readonly word: string | null
  /** Number of rows. */
  readonly count: number
  readonly onChoose: (row: number) => void
  readonly onDismiss: () => void
}

/** Returns the active row of a list; another word resets it to the top. */
export function useTypedRows(
  box: Box,
  { listId, word, count, onChoose, onDismiss }: TypedRows,
): { isOpen: boolean; index: number; goTo: (row: number) => void } {
  const [place, setPlace] = useState({ word: '', index: 0 })
  const isOpen = word !== null && count > 0
  const index = place.word === word ? Math.min(place.index, count - 1) : 0
  const goTo = (row: number): void => setPlace({ word: word ?? '', index: row })
  useListKeys(box, {
    isOpen,
    onMove: (step) => goTo((index + step + count) % count),
    onChoose: () => onChoose(index),
    onDismiss,
  })
  useDescribedBox(box, listId, isOpen ? optionId(listId, index) : null)
  return { isOpen, index, goTo }
}

/** Focuses the box and places the caret, once its new text is rendered. */
export function placeCaret(box: Box, caret: number): void {
  setTimeout(() => {
    box.current?.focus()
    box.current?.setSelectionRange(caret, caret)
  })
}
