import type { SettingValue } from '#contract/settings.ts'
import type { Config } from '../config/config.ts'
import { settingDefinitions, type SettingName, type SettingValues } from './definitions.ts'
import type { Settings } from './gateway-settings.ts'
import { createSettingRows, readRow } from './setting-row.ts'

function decode(text: string): SettingValue {
  try {
    return JSON.parse(text) as SettingValue
  } catch {
    return null
  }
}

/**
 * Returns settings for use before the database is opened. Stored secrets cannot be read yet; they
 * count as never stored.
 */
export function createEarlySettings(config: Config, stored: ReadonlyMap<string, string>): Settings {
  const secrets = new Set(settingDefinitions.filter((each) => each.secret).map(({ key }) => key))
  const known = new Map(
    [...stored].filter(([key]) => !secrets.has(key)).map(([key, text]) => [key, decode(text)]),
  )
  const rows = createSettingRows(settingDefinitions, config, known)
  return {
    // Each value has the type that its row has.
    get: <Key extends SettingName>(key: Key) => readRow(rows.get(key)!) as SettingValues[Key],
  }
}
