import type { SessionState } from '../../features/auth/session-store.ts'
import type * as Following from '../channels/follow-channels.ts'
import { mayUseChannels } from '../person/permissions.ts'

/** Id of the user whose channels are followed; null if none. */
let followed: string | null = null
let stop: (() => void) | null = null

/** Stops following channels, e.g. on sign-out. */
export function stopChannels(): void {
  followed = null
  stop?.()
  stop = null
}

async function follow(wanted: string): Promise<void> {
  let loaded: typeof Following
  try {
    loaded = await import('../channels/follow-channels.ts')
  } catch {
    // The page was left or the gateway is unreachable: the next session update retries.
    if (followed === wanted) followed = null
    return
  }
  if (followed === wanted) stop = loaded.followChannels()
}

/**
 * Follows the channels of the signed-in user if channels are available; loads the code for it only
 * then.
 */
export function keepChannels(state: SessionState): void {
  // An expired session keeps the UI as it is.
  if (state.status === 'expired') return
  const wanted =
    state.status === 'signed-in' && mayUseChannels(state) ? (state.user?.id ?? null) : null
  if (wanted === followed) return
  stopChannels()
  if (wanted === null) return
  followed = wanted
  void follow(wanted)
}
