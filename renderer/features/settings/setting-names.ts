import type { Setting } from '#contract/settings.ts'
import type { SettingsPage } from '../../lib/router.ts'
import { helpOf } from '../../ui/settings/setting-help.ts'
import { findName, nameOf } from '../../ui/settings/setting-name.ts'

/**
 * Returns the searchable text of a setting: its name, variable, description and additional terms.
 */
export const searchTextOf = (setting: Setting): string =>
  `${nameOf(setting)} ${setting.key} ${helpOf(setting)} ${setting.help} ${findName('words', setting.key)}`

/** Groups with a separate page, where their settings are shown in context. */
const PAGES: ReadonlyMap<Setting['group'], SettingsPage> = new Map([
  ['documents', 'documents'],
  ['web', 'documents'],
  ['images', 'pictures'],
  ['audio', 'speech'],
  ['code', 'code'],
  ['single-sign-on', 'single-sign-on'],
])

/** Returns the page and search text for editing a setting. */
export const placeOf = (setting: Setting): { page: SettingsPage; find: string } => ({
  page: PAGES.get(setting.group) ?? 'gateway',
  find: setting.key,
})
