import settingPages from '../../locales/en/setting-pages.json' with { type: 'json' }
import { addStrings } from '../i18n.ts'

addStrings('settingPages', settingPages)
