import access from '../../locales/en/access.json' with { type: 'json' }
import { addStrings } from '../i18n.ts'

addStrings('access', access)
