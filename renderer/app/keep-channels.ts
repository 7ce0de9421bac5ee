import type { SessionState } from '../features/auth/session-store.ts'
import type * as Following from './channels/follow-channels.ts'
import { mayUseChannels } from './permissions.ts'

/** Whose channels are followed; null for nobody's. */
let followed: string | null = null
let stop: (() => void) | null = null

/** Ends following channels, as on sign-out. */
export function stopChannels(): void {
  followed = null
  stop?.()
  stop = null
}

async function follow(wanted: string): Promise<void> {
  let loaded: typeof Following
  try {
    loaded = await import('./channels/follow-channels.ts')
  } catch {
    // The page is left, or the gateway is away: the next news of the session asks again.
    if (followed === wanted) followed = null
    return
  }
  if (followed === wanted) stop = loaded.followChannels()
}

/**
 * Follows the channels of whoever is signed in, where there are any; what is needed for that is
 * fetched only then.
 */
export function keepChannels(state: SessionState): void {
  // A session that ran out keeps the interface as it is.
  if (state.status === 'expired') return
  const wanted =
    state.status === 'signed-in' && mayUseChannels(state) ? (state.user?.id ?? null) : null
  if (wanted === followed) return
  stopChannels()
  if (wanted === null) return
  followed = wanted
  void follow(wanted)
}
