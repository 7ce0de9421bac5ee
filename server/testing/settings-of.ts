import type { SettingName, Settings, SettingValues } from '../settings/index.ts'

/** Settings that have these values; read from the object at each call, so a test may change it. */
export const settingsOf = <Name extends SettingName>(
  values: Pick<SettingValues, Name>,
): Settings<Name> => ({ get: (key) => values[key] })
