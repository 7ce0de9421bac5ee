import type { Setting } from '#contract/settings.ts'
import { addStrings, translate } from '../../lib/i18n.ts'
import { nameSettings } from './setting-name.ts'

// The English texts are sent by the gateway with each setting.
addStrings('settingHelp', {})

/** Returns the description of a setting in the language of the UI. */
export const helpOf = ({ key, help }: Pick<Setting, 'key' | 'help'>): string =>
  nameSettings(translate(`settingHelp.${key}`, { defaultValue: help }))
