import { endpoints } from '#contract/endpoints.ts'
import { settingValueSchema, type SettingValue } from '#contract/settings.ts'
import { badRequest } from '../lib/errors.ts'
import { route, type Route } from '../lib/http.ts'
import type { GatewaySettings } from './gateway-settings.ts'

/**
 * Returns the changed settings by name, without secrets; texts that contain JSON are exported as
 * parsed values.
 */
function exportSettings(settings: GatewaySettings): Record<string, unknown> {
  const changed = settings.describe().filter(({ origin, secret }) => origin === 'stored' && !secret)
  return Object.fromEntries(changed.map((each) => [each.key, settings.exported(each)]))
}

/** Stores an export; unknown names, as in exports of other releases, are ignored. */
async function importSettings(
  settings: GatewaySettings,
  config: Record<string, unknown>,
): Promise<void> {
  const values: Record<string, SettingValue> = {}
  const known = settings.describe()
  const names = Object.keys(config)
  if (names.length > 0 && !known.some(({ key }) => Object.hasOwn(config, key))) {
    const sentence =
      'Nothing in it is a setting of this gateway. Send settings by their names, such as {"ENABLE_SIGNUP": false}.'
    throw badRequest(sentence, { code: 'invalid_setting' })
  }
  for (const { key, type, locked } of known) {
    if (locked || !Object.hasOwn(config, key)) continue
    const isStructure = type === 'json' && typeof config[key] === 'object' && config[key] !== null
    const value = settingValueSchema.safeParse(
      isStructure ? JSON.stringify(config[key]) : config[key],
    )
    if (!value.success)
      throw badRequest(`${key} does not have a value a setting can have.`, {
        code: 'invalid_setting',
      })
    values[key] = value.data
  }
  await settings.update(values)
}

const CONNECTION_KEYS = ['ENABLE_DIRECT_CONNECTIONS', 'ENABLE_BASE_MODELS_CACHE'] as const

/** Creates the routes of settings in the groups old clients know. */
export function createConfigRoutes(settings: GatewaySettings): Route[] {
  const connections = () => ({
    ENABLE_DIRECT_CONNECTIONS: settings.get(CONNECTION_KEYS[0]),
    ENABLE_BASE_MODELS_CACHE: settings.get(CONNECTION_KEYS[1]),
  })
  const banners = () => settings.get('WEBUI_BANNERS')
  const webhook = () => ({ url: settings.get('WEBHOOK_URL') })

  return [
    route(endpoints.configs.export, () => exportSettings(settings)),
    route(endpoints.configs.import, async ({ body }) => {
      await importSettings(settings, body.config)
      return exportSettings(settings)
    }),
    route(endpoints.configs.connections, connections),
    route(endpoints.configs.updateConnections, async ({ body }) => {
      const sent = CONNECTION_KEYS.filter((key) => body[key] !== undefined)
      await settings.update(Object.fromEntries(sent.map((key) => [key, body[key]!])))
      return connections()
    }),
    route(endpoints.configs.updateSuggestions, async ({ body }) => {
      await settings.update({ DEFAULT_PROMPT_SUGGESTIONS: JSON.stringify(body.suggestions) })
      return settings.get('DEFAULT_PROMPT_SUGGESTIONS')
    }),
    route(endpoints.configs.banners, banners),
    route(endpoints.configs.updateBanners, async ({ body }) => {
      await settings.update({ WEBUI_BANNERS: JSON.stringify(body.banners) })
      return banners()
    }),
    route(endpoints.configs.webhook, webhook),
    route(endpoints.configs.updateWebhook, async ({ body }) => {
      await settings.update({ WEBHOOK_URL: body.url })
      return webhook()
    }),
  ]
}
