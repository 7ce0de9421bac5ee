import type { AnyEndpoint, FeatureSwitch } from '#contract/endpoint.ts'
import type { Groups } from '../groups/index.ts'
import { forbidden } from '../lib/errors.ts'
import type { Caller } from '../lib/http.ts'
import type { Settings } from '../settings/index.ts'

/** The text that existing programs expect; the others are told where to switch the feature on. */
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
}: {
  settings: Settings<FeatureSwitch>
  groups: Pick<Groups, 'allows'>
}) {
  return async (caller: Caller | null, { feature, permission }: AnyEndpoint): Promise<void> => {
    if (feature !== undefined && !settings.get(feature)) {
      throw forbidden(OFF[feature] ?? OFF_HERE, { code: 'feature_off' })
    }
    if (permission !== undefined && !(caller && (await groups.allows(caller, permission)))) {
      throw forbidden('You do not have permission for this. Ask an administrator.', {
        code: 'not_permitted',
      })
    }
  }
}
