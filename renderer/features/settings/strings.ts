import settingWords from '../../locales/en/setting-words.json' with { type: 'json' }
import { addStrings } from '../../lib/i18n.ts'

addStrings('settingWords', settingWords)
