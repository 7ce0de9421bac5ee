import type { ApiKeys } from '../keys/api-keys.ts'
import type { KnownPlaces } from './known-places.ts'
import type { Peers } from '../origin/peers.ts'
import type { SessionRecords } from '../sessions/session-records.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { SessionViews } from '../sessions/to-session.ts'

/** Services shared by all ways of signing in. */
export interface SignInParts {
  readonly sessions: Sessions
  readonly sessionRecords: SessionRecords
  readonly views: SessionViews
  readonly apiKeys: ApiKeys
  readonly places: KnownPlaces
  readonly peers: Peers
  readonly announceRevoked: (userId: string) => Promise<void>
}
