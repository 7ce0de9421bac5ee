import { createStore, type StoreApi } from 'zustand/vanilla'
import type { GuestPass, SharedDevice, SharingStatus } from '#contract/sharing.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'

export interface SharingState {
  readonly status: SharingStatus | null
  readonly devices: readonly SharedDevice[]
  readonly passes: readonly GuestPass[]
  readonly problem: string | null
}

export type SharingStore = StoreApi<SharingState>

export const createSharingStore = (): SharingStore =>
  createStore<SharingState>(() => ({ status: null, devices: [], passes: [], problem: null }))

/** Reloads everything; on failure the previous state is kept. */
export async function loadSharing(store: SharingStore): Promise<void> {
  try {
    const [status, devices, passes] = await Promise.all([
      call(endpoints.sharing.status, {}),
      call(endpoints.sharing.devices, {}),
      call(endpoints.sharing.passes, {}),
    ])
    store.setState({ status, devices, passes, problem: null })
  } catch (thrown) {
    store.setState({ problem: toSentence(thrown) })
  }
}

const LOOK_MILLISECONDS = 5000

/** Keeps the state up to date while visible: devices connect and disconnect at any time. */
export function followSharing(store: SharingStore): () => void {
  void loadSharing(store)
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') void loadSharing(store)
  }, LOOK_MILLISECONDS)
  return () => clearInterval(timer)
}

/** Starts sharing, with the given IP addresses and number of hours, if any. */
export async function turnOn(
  store: SharingStore,
  input: { addresses?: string[]; hours?: number | null },
): Promise<void> {
  store.setState({ status: await call(endpoints.sharing.turnOn, { body: input }) })
}

export async function turnOff(store: SharingStore): Promise<void> {
  store.setState({ status: await call(endpoints.sharing.turnOff, {}) })
}
