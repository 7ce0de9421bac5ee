import { createStore } from 'zustand/vanilla'

/** Somewhere the palette leads to, from a feature that is fetched only when it is needed. */
export interface Place {
  readonly id: string
  readonly name: string
  readonly path: string
}

export const placesStore = createStore<{ readonly channels: readonly Place[] }>(() => ({
  channels: [],
}))
