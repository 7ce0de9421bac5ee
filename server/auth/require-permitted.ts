import type { AnyEndpoint, FeatureSwitch } from '#contract/endpoint.ts'
import type { Groups } from '../groups/index.ts'
import { forbidden } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import { whenReady } from '../lib/timing/when-ready.ts'
import type { Settings } from '../settings/index.ts'
import type { Users } from '../users/index.ts'
import { isForGuests } from './guest-endpoints.ts'

/** The texts that existing clients expect; other messages say where to enable the feature. */
const OFF: Readonly<Partial<Record<FeatureSwitch, string>>> = {
  ENABLE_CHANNELS: 'Channels is disabled',
}
const OFF_HERE = 'This feature is switched off. An administrator can switch it on in the settings.'

/**
 * Enforces the switch and the permission an endpoint declares (docs/decisions.md); the second half
 * of the authorisation choke point.
 */
export function createRequirePermitted({
  settings,
  groups,
  users,
}: {
  settings: Settings<FeatureSwitch>
  groups: Groups
  users: Users
}) {
  return (caller: Caller | null, endpoint: AnyEndpoint): Promise<void> | void => {
    const { feature, permission } = endpoint
    if (caller && !isForGuests(endpoint) && users.cached.isGuest(caller.userId))
      throw forbidden('Guests cannot use this. Ask the person who invited you.', {
        code: 'not_for_guests',
      })
    if (feature !== undefined && !settings.get(feature)) {
      throw forbidden(OFF[feature] ?? OFF_HERE, { code: 'feature_off' })
    }
    if (permission === undefined) return
    return whenReady(caller !== null && groups.allows(caller, permission), (isAllowed) => {
      if (!isAllowed)
        throw forbidden('You do not have permission for this. Ask an administrator.', {
          code: 'not_permitted',
        })
    })
  }
}
