import shortcuts from '../../locales/en/shortcuts.json' with { type: 'json' }
import { addStrings } from '../i18n.ts'

addStrings('shortcuts', shortcuts)
