import type { KeyboardEvent } from 'react'

const rowsOf = (element: Element): HTMLElement[] => [
  ...(element.closest('[data-rows]')?.querySelectorAll<HTMLElement>('[data-row]') ?? []),
]

/** Returns the ids of the chats in the order shown on screen. */
export const drawnIds = (element: Element): readonly string[] =>
  rowsOf(element).flatMap((row) => row.dataset.chatId ?? [])

/**
 * Moves the focus between the rows of a list with arrows, Home and End; returns the newly focused
 * row.
 */
export function moveFocus(event: KeyboardEvent<HTMLElement>): HTMLElement | null {
  const rows = rowsOf(event.currentTarget)
  const index = rows.indexOf(document.activeElement as HTMLElement)
  if (index === -1) return null
  const target = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[
    event.key
  ]
  if (target === undefined) return null
  event.preventDefault()
  const row = rows[Math.max(0, Math.min(rows.length - 1, target))] ?? null
  row?.focus()
  return row
}
