import { createStore } from 'zustand/vanilla'

/** A palette target of a feature that is loaded on demand. */
export interface Place {
  readonly id: string
  readonly name: string
  readonly path: string
}

export const placesStore = createStore<{ readonly channels: readonly Place[] }>(() => ({
  channels: [],
}))
