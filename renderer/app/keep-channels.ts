import type { SessionState } from '../features/auth/session-store.ts'
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

/** Follows the channels of whoever is signed in, where there are any; what is needed for that is fetched only then. */
export function keepChannels(state: SessionState): void {
  // A session that ran out keeps the interface as it is.
  if (state.status === 'expired') return
  const wanted = state.status === 'signed-in' && mayUseChannels(state) ? (state.user?.id ?? null) : null
  if (wanted === followed) return
  stopChannels()
  if (wanted === null) return
  followed = wanted
  void import('./channels/follow-channels.ts').then(
    ({ followChannels }) => {
      if (followed === wanted) stop = followChannels()
    },
    () => {
      // The page is left, or the gateway is away: the next news of the session asks again.
      if (followed === wanted) followed = null
    },
  )
}
