import { settingEndpoints } from '#contract/settings.ts'
import { route, type Route } from '../lib/http.ts'
import type { GatewaySettings } from './gateway-settings.ts'

/** Creates the admin API of the settings. */
export function createSettingsRoutes(
  settings: Pick<GatewaySettings, 'describe' | 'update'>,
): Route[] {
  return [
    route(settingEndpoints.list, () => settings.describe()),
    route(settingEndpoints.update, async ({ body }) => {
      await settings.update(body.values)
      return settings.describe()
    }),
  ]
}
