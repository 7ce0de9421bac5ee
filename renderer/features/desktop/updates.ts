import { createStore, type StoreApi } from 'zustand/vanilla'
import type { UpdateAct, UpdateState } from '#desktop'
import { toSentence } from '../../api/api-error.ts'
import { desktop } from '../../lib/desktop.ts'

interface Updates {
  /** Null until the desktop app has answered. */
  readonly state: UpdateState | null
  readonly problem: string | null
}

/** Update state reported by the desktop app. */
export const updatesStore: StoreApi<Updates> = createStore(() => ({ state: null, problem: null }))

/** Asks for something to be done about new versions; `listen` reports the result. */
export async function actOnUpdates(act: UpdateAct): Promise<void> {
  if (!desktop) return
  try {
    updatesStore.setState({ state: await desktop.request('updates.act', { act }), problem: null })
  } catch (thrown) {
    updatesStore.setState({ problem: toSentence(thrown) })
  }
}

/** Follows changes of the update state; returns the function that stops it. */
export const followUpdates = (): (() => void) =>
  desktop?.on('updates.state', (state) => updatesStore.setState({ state })) ?? (() => undefined)
