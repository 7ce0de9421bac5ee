import type { Route } from '../lib/http.ts'
import { createConfigRoutes } from './config-routes.ts'
import type { GatewaySettings } from './gateway-settings.ts'
import { createSettingsRoutes } from './routes.ts'

export type { SettingName, SettingValues } from './definitions.ts'
export { describeConfiguration } from './describe-configuration.ts'
export { createEarlySettings } from './early-settings.ts'
export { isOffline } from './is-offline.ts'
export { GatewaySettings, pickSettings, type Settings } from './gateway-settings.ts'

/** Creates the endpoints of all settings, and of groups of them as old clients know them. */
export const settingsRoutes = (settings: GatewaySettings): Route[] => [
  ...createSettingsRoutes(settings),
  ...createConfigRoutes(settings),
]
