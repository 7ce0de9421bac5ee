import type { Setting } from '#contract/settings.ts'
import settingNames from '../../locales/en/setting-names.json' with { type: 'json' }
import { addStrings, translate } from '../../lib/i18n.ts'

// Fetched with the pages of the gateway, since there are several hundred of them.
addStrings('settingNames', settingNames)

/** What a setting is called, or the other words it is looked for by; empty where it has none. */
export const findName = (kind: 'names' | 'words', key: string): string =>
  translate(`settingNames.${kind}.${key}` as 'settingNames.names.TOP_K', { defaultValue: '' })

/** What people call a setting; its variable where it has no other name. */
export const nameOf = ({ key }: Pick<Setting, 'key'>): string => findName('names', key) || key

const VARIABLE = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g

/** A text in which settings are called what people call them instead of by their variables. */
export const nameSettings = (text: string): string =>
  text.replace(VARIABLE, (key) => {
    const name = findName('names', key)
    return name === '' ? key : translate('settings.gateway.named', { name })
  })
