import { type RefObject, useEffect, useState } from 'react'
import { findTypedWord, type TypedMark, type TypedWord } from './find-typed-word.ts'
import { optionId } from './typed-list.tsx'

type Box = RefObject<HTMLTextAreaElement | null>

interface Typing {
  readonly found: TypedWord | null
  /** Where a mark stands that is to stay one. */
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

/** The word at the caret of the box, as long as the box has the focus and nobody dismissed it. */
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
    // The caret moves after the text was drawn.
    const frame = requestAnimationFrame(read)
    document.addEventListener('selectionchange', read)
    // The next key may come before the next frame, and is for the word as it stands.
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

/** Keys of an open list go to it before the box sees them. */
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
      // A key that ends a composition belongs to the input method; some browsers only tell by the
      // key code.
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
  /** The word the rows were found for; null while none is typed. */
  readonly word: string | null
  /** How many rows there are. */
  readonly count: number
  readonly onChoose: (row: number) => void
  readonly onDismiss: () => void
}

/** Which row of a list the arrows stand on; another word begins at the top again. */
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

/** Gives the box the focus with the caret at a place, once its new text is drawn. */
export function placeCaret(box: Box, caret: number): void {
  setTimeout(() => {
    box.current?.focus()
    box.current?.setSelectionRange(caret, caret)
  })
}
