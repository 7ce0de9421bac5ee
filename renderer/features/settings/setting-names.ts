import type { Setting } from '#contract/settings.ts'
import type { SettingsPage } from '../../lib/router.ts'
import { helpOf } from '../../ui/settings/setting-help.ts'
import { findName, nameOf } from '../../ui/settings/setting-name.ts'

/** All a setting may be looked for by: its name, its variable, what it does and other words. */
export const searchTextOf = (setting: Setting): string =>
  `${nameOf(setting)} ${setting.key} ${helpOf(setting)} ${setting.help} ${findName('words', setting.key)}`

/** Groups that have a page of their own, where their settings stand beside what they decide. */
const PAGES: ReadonlyMap<Setting['group'], SettingsPage> = new Map([
  ['documents', 'documents'],
  ['web', 'documents'],
  ['images', 'pictures'],
  ['audio', 'voice'],
  ['code', 'code'],
  ['single-sign-on', 'single-sign-on'],
])

/** The address under which a setting is changed. */
export const placeOf = (setting: Setting): { page: SettingsPage; find: string } => ({
  page: PAGES.get(setting.group) ?? 'gateway',
  find: setting.key,
})
