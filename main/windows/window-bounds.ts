import type { Bounds } from '../profile/shell-state.ts'

export const MINIMUM_SIZE = { width: 360, height: 480 }
const DEFAULT_SIZE = { width: 1180, height: 800 }

/** The subset of Electron's `Display` that is used; the first of a list is the primary one. */
export interface DisplayArea {
  readonly workArea: Bounds
}

function overlap(a: Bounds, b: Bounds): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return Math.max(0, width) * Math.max(0, height)
}

/** Minimum visible size of a window's upper edge that allows dragging it. */
const HANDLE = { width: 96, height: 24 }

/** Returns true if a window can be dragged by its upper edge on one of the displays. */
export const isReachable = ({ x, y, width }: Bounds, displays: readonly DisplayArea[]): boolean =>
  displays.some(({ workArea }) => {
    const seen = Math.min(x + width, workArea.x + workArea.width) - Math.max(x, workArea.x)
    const lowest = workArea.y + workArea.height - HANDLE.height
    return seen >= Math.min(HANDLE.width, width) && y >= workArea.y - HANDLE.height && y <= lowest
  })

const between = (low: number, value: number, high: number): number =>
  Math.max(low, Math.min(value, Math.max(low, high)))

/**
 * Returns the initial bounds of the window: the saved ones, moved and shrunk to fit on the display
 * they overlap most; centred on the primary display if that one is gone or nothing was saved.
 */
export function placeWindow(saved: Bounds | null, displays: readonly DisplayArea[]): Bounds {
  const primary = displays[0]?.workArea ?? { x: 0, y: 0, ...DEFAULT_SIZE }
  const size = saved ?? DEFAULT_SIZE
  const home = saved
    ? displays
        .map(({ workArea }) => workArea)
        .reduce(
          (best, area) => (overlap(saved, area) > overlap(saved, best) ? area : best),
          primary,
        )
    : primary
  const width = between(Math.min(MINIMUM_SIZE.width, home.width), size.width, home.width)
  const height = between(Math.min(MINIMUM_SIZE.height, home.height), size.height, home.height)
  const isVisible = saved !== null && overlap(saved, home) > 0
  const x = isVisible ? saved.x : home.x + Math.round((home.width - width) / 2)
  const y = isVisible ? saved.y : home.y + Math.round((home.height - height) / 2)
  return {
    x: between(home.x, x, home.x + home.width - width),
    y: between(home.y, y, home.y + home.height - height),
    width,
    height,
  }
}
