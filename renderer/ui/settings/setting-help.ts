import type { Setting } from '#contract/settings.ts'
import { addStrings, translate } from '../../lib/i18n.ts'
import { nameSettings } from './setting-name.ts'

// In English the gateway says it with each setting.
addStrings('settingHelp', {})

/** What a setting does, in the language of the interface. */
export const helpOf = ({ key, help }: Pick<Setting, 'key' | 'help'>): string =>
  nameSettings(translate(`settingHelp.${key}`, { defaultValue: help }))
