const toStops = (list: Element): HTMLElement[] =>
  [...list.children].flatMap((row) => row.querySelector<HTMLElement>('[data-chip-remove]') ?? [])

/**
 * Moves the focus from a chip about to be removed to the next one, or to the previous one if it is
 * the last.
 */
export function toNeighbour(list: Element | null, index: number): boolean {
  const stops = list ? toStops(list) : []
  const next = stops[index + 1] ?? stops[index - 1]
  next?.focus()
  return next !== undefined
}
