import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'

const ROWS = '[data-message-id]'

const rowOf = (target: EventTarget): HTMLElement | null =>
  (target as HTMLElement).closest<HTMLElement>(ROWS)

const rowsIn = (view: HTMLElement): HTMLElement[] => [...view.querySelectorAll<HTMLElement>(ROWS)]

/** Limits Tab to one message of the list: the last focused one, otherwise the last one. */
function useTabStop(view: RefObject<HTMLElement | null>): (row: HTMLElement) => void {
  const stop = useRef<HTMLElement | null>(null)
  const set = (row: HTMLElement | null): void => {
    if (stop.current !== row) stop.current?.setAttribute('tabindex', '-1')
    row?.setAttribute('tabindex', '0')
    stop.current = row
  }
  const isMoved = useRef(false)
  useEffect(() => {
    if (!view.current) return
    const isGone = !stop.current?.isConnected
    if (isGone) isMoved.current = false
    if (!isMoved.current) set(rowsIn(view.current).at(-1) ?? null)
  })
  return (row) => {
    isMoved.current = true
    set(row)
  }
}

export interface MessageKeys {
  readonly handleKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  readonly handleFocus: (event: FocusEvent<HTMLElement>) => void
}

interface KeyActions {
  /** Handles single keys on the focused message, by its id; returns true if the key was handled. */
  readonly act: (key: string, id: string, row: HTMLElement) => boolean
  /** Called on Escape on a message. */
  readonly leave: () => void
}

/**
 * Handles keys: arrows move between messages, single keys act on the focused one, Escape returns to
 * the input.
 */
export function useMessageKeys(
  view: RefObject<HTMLElement | null>,
  { act, leave }: KeyActions,
): MessageKeys {
  const setStop = useTabStop(view)
  const move = (row: HTMLElement, key: string): boolean => {
    const rows = rowsIn(view.current!)
    const index = rows.indexOf(row)
    const places: Readonly<Record<string, number>> = {
      ArrowUp: index - 1,
      ArrowDown: index + 1,
      Home: 0,
      End: rows.length - 1,
    }
    const next = places[key]
    if (next === undefined) return false
    const target = rows[next]
    target?.focus({ preventScroll: true })
    target?.scrollIntoView({ block: 'nearest' })
    return true
  }
  return {
    handleFocus(event) {
      const row = rowOf(event.target)
      if (row) setStop(row)
    },
    handleKeyDown(event) {
      const row = rowOf(event.target)
      if (!row || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      const isOnRow = event.target === row
      const isTyping =
        event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement
      if (event.key === 'Escape' && !isTyping) {
        if (isOnRow) leave()
        else row.focus()
        event.preventDefault()
        event.stopPropagation()
      } else if (isOnRow && (move(row, event.key) || act(event.key, row.dataset.messageId!, row))) {
        event.preventDefault()
      }
    },
  }
}
