const toStops = (list: Element): HTMLElement[] =>
  [...list.children].flatMap((row) => row.querySelector<HTMLElement>('[data-chip-remove]') ?? [])

/**
 * Moves the focus from a chip that is about to go to the next one, or the one before when it is the
 * last.
 */
export function toNeighbour(list: Element | null, index: number): boolean {
  const stops = list ? toStops(list) : []
  const next = stops[index + 1] ?? stops[index - 1]
  next?.focus()
  return next !== undefined
}
