import type { SettingName, Settings, SettingValues } from '../settings/index.ts'

/**
 * Returns settings with these values; they are read from the object on each call, so that a test
 * may change it.
 */
export const settingsOf = <Name extends SettingName>(
  values: Pick<SettingValues, Name>,
): Settings<Name> => ({ get: (key) => values[key] })
