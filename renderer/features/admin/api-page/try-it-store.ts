import { createStore, type StoreApi } from 'zustand/vanilla'
import { ApiError, call, endpoints } from '../../../api/client.ts'

const MINUTES = 15

interface TemporaryKey {
  readonly id: string
  readonly secret: string
  /** Unix seconds. */
  readonly until: number
}

export interface TryItState {
  /**
   * A key valid for a quarter of an hour; `session` if the gateway does not issue such keys; null
   * before the first try.
   */
  readonly key: TemporaryKey | 'session' | null
}

export type TryItStore = StoreApi<TryItState>

export const createTryItStore = (): TryItStore => createStore<TryItState>(() => ({ key: null }))

async function makeKey(name: string): Promise<TryItState['key']> {
  const until = Math.floor(Date.now() / 1000) + MINUTES * 60
  try {
    const { id, api_key: secret } = await call(endpoints.auths.createApiKey, {
      body: { name, expires_at: until },
    })
    return { id, secret, until }
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.status === 403) return 'session'
    throw thrown
  }
}

/** Resolves with the secret for trying calls; null means the session of this window. */
export async function takeKey(store: TryItStore, name: string): Promise<string | null> {
  const { key } = store.getState()
  const isUsable = key === 'session' || (key !== null && key.until * 1000 > Date.now())
  if (!isUsable) store.setState({ key: await makeKey(name) })
  const taken = store.getState().key
  return taken === null || taken === 'session' ? null : taken.secret
}

/** Revokes the key when the user leaves the page. */
export async function dropKey(store: TryItStore): Promise<void> {
  const { key } = store.getState()
  store.setState({ key: null })
  if (key !== null && key !== 'session')
    await call(endpoints.auths.deleteApiKey, { params: { key_id: key.id } })
}
