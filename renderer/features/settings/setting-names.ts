import type { Setting } from '#contract/settings.ts'
import settingNames from '../../locales/en/setting-names.json' with { type: 'json' }
import { addStrings, translate } from '../../lib/i18n.ts'
import type { SettingsPage } from '../../lib/router.ts'
import { helpOf } from '../../ui/settings/setting-help.ts'

// Fetched with the pages of the gateway, since there are several hundred of them.
addStrings('settingNames', settingNames)

const find = (kind: 'names' | 'words', key: string): string =>
  translate(`settingNames.${kind}.${key}` as 'settingNames.names.TOP_K', { defaultValue: '' })

/** What people call a setting; its variable where it has no other name. */
export const nameOf = ({ key }: Pick<Setting, 'key'>): string => find('names', key) || key

/** All a setting may be looked for by: its name, its variable, what it does and other words. */
export const searchTextOf = (setting: Setting): string =>
  `${nameOf(setting)} ${setting.key} ${helpOf(setting)} ${setting.help} ${find('words', setting.key)}`

/** Groups that have a page of their own, where their settings stand beside what they decide. */
const PAGES: ReadonlyMap<Setting['group'], SettingsPage> = new Map([
  ['documents', 'documents'],
  ['web', 'documents'],
  ['images', 'pictures'],
  ['code', 'code'],
  ['single-sign-on', 'single-sign-on'],
])

/** The address under which a setting is changed. */
export const placeOf = (setting: Setting): { page: SettingsPage; find: string } => ({
  page: PAGES.get(setting.group) ?? 'gateway',
  find: setting.key,
})
