import '../../lib/strings/setting-pages.ts'
import type { Setting } from '#contract/settings.ts'
import settingNames from '../../locales/en/setting-names.json' with { type: 'json' }
import { addStrings, translate } from '../../lib/i18n.ts'

// Loaded with the gateway's settings pages, since there are several hundred of them.
addStrings('settingNames', settingNames)

/** Returns the name of a setting, or its additional search terms; empty if it has none. */
export const findName = (kind: 'names' | 'words', key: string): string =>
  translate(`settingNames.${kind}.${key}` as 'settingNames.names.TOP_K', { defaultValue: '' })

/** Returns the display name of a setting, or its variable if it has none. */
export const nameOf = ({ key }: Pick<Setting, 'key'>): string => findName('names', key) || key

const VARIABLE = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g

/** Replaces the variables of settings in a text with their display names. */
export const nameSettings = (text: string): string =>
  text.replace(VARIABLE, (key) => {
    const name = findName('names', key)
    return name === '' ? key : translate('settingPages.gateway.named', { name })
  })
