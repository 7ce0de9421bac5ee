import { useState } from 'react'

/** Zoom factor; null fits the picture into the available space without enlarging it. */
export type Zoom = number | null

const STEPS = [0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8] as const

export interface ZoomControl {
  readonly zoom: Zoom
  readonly canGrow: boolean
  readonly canShrink: boolean
  readonly grow: () => void
  readonly shrink: () => void
  /** Resets to fit. */
  readonly fit: () => void
  /** Toggles between fit and the next larger step. */
  readonly toggle: () => void
}

/** Returns the zoom state of a picture. `measure` returns its scale while it fits. */
export function useZoom(key: string, measure: () => number): ZoomControl {
  const [state, setState] = useState<{ key: string; zoom: Zoom }>({ key, zoom: null })
  const zoom = state.key === key ? state.zoom : null
  const set = (next: Zoom): void => setState({ key, zoom: next })
  const now = (): number => zoom ?? measure()
  const larger = (): number => STEPS.find((step) => step > now() + 0.01) ?? STEPS.at(-1)!
  return {
    zoom,
    canGrow: zoom !== STEPS.at(-1),
    canShrink: zoom !== null && zoom !== STEPS[0],
    grow: () => set(larger()),
    shrink: () => set(STEPS.findLast((step) => step < now() - 0.01) ?? STEPS[0]),
    fit: () => set(null),
    toggle: () => set(zoom === null ? larger() : null),
  }
}
