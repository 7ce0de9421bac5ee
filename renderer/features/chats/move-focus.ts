import type { KeyboardEvent } from 'react'

const rowsOf = (element: Element): HTMLElement[] => [
  ...(element.closest('[data-rows]')?.querySelectorAll<HTMLElement>('[data-row]') ?? []),
]

/** Ids of the chats in the order they stand on the screen. */
export const drawnIds = (element: Element): readonly string[] =>
  rowsOf(element).flatMap((row) => row.dataset.chatId ?? [])

/**
 * Arrows, Home and End move between the rows of a list; answers with the row that got the focus.
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
